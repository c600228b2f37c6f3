"""Words that stand for other words, from which a seed chooses."""

from __future__ import annotations

VERBS = {
    "take": ("grab", "fetch", "collect"), "put": ("set", "lay", "place"), "open": ("unclose",),
    "go": ("move", "travel", "head"), "look": ("peer",), "light": ("kindle", "ignite"),
    "turn": ("rotate", "swivel"), "ring": ("sound", "chime"), "push": ("shove", "press"),
    "press": ("push", "hit"), "read": ("peruse", "study"), "wind": ("crank up", "tighten"),
    "set": ("adjust", "dial"), "ask": ("question", "consult"), "tell": ("inform", "notify"),
    "give": ("hand", "offer"), "show": ("present", "display"), "use": ("employ", "apply"),
    "cut": ("slice", "sever"), "clean": ("scrub", "wash"), "wash": ("rinse", "clean"),
    "fill": ("top up", "charge"), "pour": ("decant", "tip"), "mix": ("blend", "stir"),
    "heat": ("warm", "cook"), "cool": ("chill", "refrigerate"), "check": ("verify", "inspect"),
    "measure": ("gauge", "assess"), "write": ("pen", "jot"), "sign": ("initial", "autograph"),
    "buy": ("purchase", "acquire"), "sell": ("vend", "flog"), "pay": ("settle", "reimburse"),
    "call": ("phone", "summon"), "send": ("dispatch", "ship"), "load": ("stow", "pack"),
    "unload": ("unpack", "discharge"), "pick": ("select", "gather"), "drop": ("release", "let go"),
    "move": ("shift", "relocate"), "stack": ("pile", "heap"), "unstack": ("lift off", "unpile"),
    "drive": ("steer", "motor"), "fly": ("pilot", "wing"), "grasp": ("clutch", "seize"),
    "leave": ("release", "let be"), "shake": ("jolt", "agitate"), "start": ("begin", "launch"),
    "stop": ("halt", "cease"), "tie": ("fasten", "knot"), "dig": ("excavate", "burrow"),
    "plant": ("sow", "bed"), "water": ("sprinkle", "irrigate"), "feed": ("nourish", "serve"),
    "climb": ("scale", "mount"), "wait": ("linger",), "knock": ("rap", "tap"),
    "repair": ("mend", "fix"), "fix": ("mend", "repair"), "build": ("assemble", "construct"),
    "sort": ("arrange", "order"), "search": ("rummage", "comb"), "report": ("announce", "relay"),
}  # fmt: skip

JOINTS = {
    "with": ("using", "by means of"), "to": ("toward", "unto"), "from": ("out of", "off"),
    "on": ("onto", "upon"), "in": ("inside", "within"), "at": ("near", "by"),
    "into": ("inside of", "in to"), "about": ("regarding", "concerning"), "for": ("towards",),
    "and": ("plus", "along with"), "over": ("across", "above"),
}  # fmt: skip

ADJECTIVES = (
    "amber", "ashen", "azure", "bright", "bronze", "chalky", "clouded", "cobalt", "crimson",
    "dented", "dusty", "ebony", "faded", "flecked", "frosted", "gilded", "glossy", "grainy",
    "hazel", "ivory", "jade", "lacquered", "lilac", "maroon", "matte", "mottled", "mustard",
    "olive", "opal", "pale", "patched", "pearly", "plain", "plum", "polished", "quaint", "ribbed",
    "rosy", "russet", "rustic", "sable", "scuffed", "silvery", "slate", "smooth", "speckled",
    "spotted", "stained", "striped", "sturdy", "tawny", "teal", "tinted", "umber", "varnished",
    "velvet", "violet", "waxen", "weathered", "woven",
)  # fmt: skip

PEOPLE = (
    "Adaeze", "Bjorn", "Chiyo", "Dmitri", "Elif", "Farid", "Gwen", "Hilde", "Isak", "Jolanta",
    "Kofi", "Leila", "Mateo", "Noor", "Olga", "Priya", "Quentin", "Rosalie", "Sanna", "Tariq",
    "Ulla", "Viggo", "Wanda", "Ximena", "Yusuf", "Zora",
)  # fmt: skip

DISTRACTORS = (
    "paper clip", "bent nail", "button", "cork", "postcard", "feather", "pebble", "shoelace",
    "thimble", "marble", "bus ticket", "chestnut", "safety pin", "empty matchbox", "walnut shell",
    "piece of string",
)  # fmt: skip

STYLES = (("» ", ""), ("- ", ""), ("[", "]"), ("Observation: ", ""), ("", " …"))
NUMBERS = ("{}{}", "{} no. {}", "{} #{}", "{}-{}")
