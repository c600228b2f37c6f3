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

OPPOSITE_DEEDS = {
    "take": ("do not leave", ""), "get": ("do not leave", ""), "drop": ("do not keep", ""),
    "give": ("do not keep", ""), "hand": ("do not keep", ""),
    "open": ("do not leave", "closed"), "close": ("do not leave", "open"),
    "shut": ("do not leave", "open"), "lock": ("do not leave", "unlocked"),
    "unlock": ("do not leave", "locked"), "turn on": ("do not leave", "off"),
    "turn off": ("do not leave", "on"), "switch on": ("do not leave", "off"),
    "switch off": ("do not leave", "on"), "light": ("do not leave", "unlit"),
    "put out": ("do not leave", "burning"), "extinguish": ("do not leave", "burning"),
    "clean": ("do not leave", "dirty"), "wash": ("do not leave", "unwashed"),
    "heat": ("do not leave", "cold"), "cool": ("do not leave", "warm"),
    "cut": ("do not leave", "whole"), "slice": ("do not leave", "unsliced"),
    "fill": ("do not leave", "unfilled"), "empty": ("do not leave", "unemptied"),
    "read": ("do not leave", "unread"), "sign": ("do not leave", "unsigned"),
    "send": ("do not leave", "unsent"), "start": ("do not leave", "idle"),
    "stop": ("do not leave", "running"), "wear": ("do not leave", "unworn"),
    "repair": ("do not leave", "broken"), "fix": ("do not leave", "broken"),
    "mend": ("do not leave", "broken"), "water": ("do not leave", "dry"),
    "dry": ("do not leave", "wet"), "feed": ("do not leave", "unfed"),
    "pay": ("do not leave", "unpaid"), "check": ("do not leave", "unchecked"),
    "tie": ("do not leave", "untied"), "untie": ("do not leave", "tied"),
    "wake": ("do not leave", "asleep"), "load": ("do not leave", "unloaded"),
    "unload": ("do not leave", "loaded"), "pack": ("do not leave", "unpacked"),
}  # fmt: skip
"""A verb's opposite: what stands before its object, and what behind it."""

DO_NOTHING = frozenset({"wait", "rest", "pause"})

OPPOSITE_STATES = (
    ("open", "closed"), ("locked", "unlocked"), ("lit", "unlit"), ("on", "off"), ("wet", "dry"),
    ("asleep", "awake"), ("alive", "dead"), ("broken", "whole"), ("sealed", "unsealed"),
    ("known", "unknown"), ("tied", "untied"), ("loaded", "unloaded"), ("paid", "unpaid"),
    ("finished", "unfinished"), ("visible", "invisible"), ("complete", "incomplete"),
    ("occupied", "vacant"), ("present", "absent"),
)  # fmt: skip
"""Pairs of which exactly one holds of a thing that either can be said of."""
