"""Rooms, receptacles and things of the household family. Names of kinds are those that the
style is known for; which room has which is ours."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Room:
    """`receptacles`: kind, whether it is shut, how many at most."""

    name: str
    title: str
    phrase: str
    receptacles: tuple[tuple[str, bool, int], ...]
    lamp: bool = False


@dataclass(frozen=True)
class Spot:
    """A receptacle: `shut` ones have to be opened."""

    id: str
    name: str
    kind: str
    shut: bool


ROOMS = (
    Room(
        "kitchen", "The kitchen", "the kitchen",
        (("countertop", False, 3), ("cabinet", True, 6), ("drawer", True, 4), ("fridge", True, 1),
         ("microwave", True, 1), ("sinkbasin", False, 1), ("diningtable", False, 1),
         ("stoveburner", False, 3), ("garbagecan", False, 1)),
    ),
    Room(
        "scullery", "The scullery", "a narrow scullery behind the kitchen",
        (("countertop", False, 2), ("shelf", False, 4), ("cabinet", True, 3), ("fridge", True, 1),
         ("microwave", True, 1), ("sinkbasin", False, 2), ("sidetable", False, 2)),
    ),
    Room(
        "bedroom", "The bedroom", "the bedroom",
        (("bed", False, 1), ("desk", False, 2), ("drawer", True, 5), ("shelf", False, 3),
         ("dresser", False, 1), ("safe", True, 1), ("garbagecan", False, 1), ("laundryhamper", True, 1)),
        lamp=True,
    ),
    Room(
        "livingroom", "The living room", "the living room",
        (("sofa", False, 1), ("armchair", False, 2), ("coffeetable", False, 2), ("sidetable", False, 2),
         ("drawer", True, 4), ("cabinet", True, 3), ("shelf", False, 3), ("tvstand", False, 1)),
        lamp=True,
    ),
    Room(
        "bathroom", "The bathroom", "the bathroom",
        (("countertop", False, 2), ("sinkbasin", False, 2), ("cabinet", True, 4), ("towelholder", False, 2),
         ("toilet", False, 1), ("garbagecan", False, 1), ("shelf", False, 2)),
    ),
    Room(
        "study", "The study", "a study with too much furniture",
        (("desk", False, 2), ("shelf", False, 6), ("drawer", True, 6), ("armchair", False, 1),
         ("sidetable", False, 1), ("safe", True, 1), ("cabinet", True, 2)),
        lamp=True,
    ),
)  # fmt: skip

_COOK = ("kitchen", "scullery")
_SIT = ("bedroom", "livingroom", "study")
ITEMS: dict[str, tuple[str, ...]] = {
    "apple": _COOK, "tomato": _COOK, "potato": _COOK, "lettuce": _COOK, "bread": _COOK, "egg": _COOK,
    "mug": (*_COOK, "study"), "cup": _COOK, "plate": _COOK, "bowl": (*_COOK, "livingroom"), "pan": _COOK,
    "pot": _COOK, "fork": _COOK, "spoon": _COOK, "ladle": _COOK, "butterknife": _COOK,
    "spatula": _COOK, "saltshaker": _COOK, "winebottle": _COOK, "dishsponge": (*_COOK, "bathroom"),
    "book": _SIT, "pen": _SIT, "pencil": _SIT, "creditcard": _SIT, "keychain": _SIT, "cellphone": (*_SIT, *_COOK),
    "laptop": _SIT, "alarmclock": ("bedroom", "study"), "pillow": ("bedroom", "livingroom"),
    "remotecontrol": ("livingroom", "bedroom"), "watch": _SIT, "newspaper": ("livingroom", "study"),
    "vase": ("livingroom", "study"), "statue": ("livingroom", "study"), "box": ("livingroom", "bedroom"),
    "soapbar": ("bathroom",), "soapbottle": ("bathroom", *_COOK), "cloth": ("bathroom", "bedroom"),
    "toiletpaper": ("bathroom",), "spraybottle": ("bathroom",), "candle": ("bathroom", "livingroom"),
    "handtowel": ("bathroom",), "razor": ("bathroom",), "plunger": ("bathroom",),
}  # fmt: skip
TREATABLE: dict[str, tuple[str, ...]] = {
    "clean": ("apple", "tomato", "potato", "lettuce", "mug", "cup", "plate", "bowl", "pan", "pot",
              "fork", "spoon", "ladle", "spatula", "dishsponge", "soapbar", "cloth", "egg"),
    "heat": ("apple", "tomato", "potato", "bread", "egg", "mug", "cup", "plate"),
    "cool": ("apple", "tomato", "potato", "lettuce", "bread", "egg", "mug", "cup", "plate", "bowl",
             "pan", "pot", "winebottle"),
}  # fmt: skip
SLICEABLE = ("apple", "tomato", "potato", "lettuce", "bread")
METAL = ("fork", "spoon", "ladle", "pan", "pot", "butterknife")
WIRED = ("cellphone", "laptop", "remotecontrol", "alarmclock", "watch", "razor")
SPELT = {
    "diningtable": "dining table", "sidetable": "side table", "coffeetable": "coffee table",
    "tvstand": "TV stand", "garbagecan": "garbage can", "laundryhamper": "laundry hamper",
    "towelholder": "towel holder", "sinkbasin": "sink basin", "stoveburner": "stove burner",
    "saltshaker": "salt shaker", "winebottle": "wine bottle", "dishsponge": "dish sponge",
    "creditcard": "credit card", "cellphone": "cell phone", "alarmclock": "alarm clock",
    "remotecontrol": "remote control", "soapbar": "bar of soap", "soapbottle": "bottle of soap",
    "spraybottle": "spray bottle", "handtowel": "hand towel", "butterknife": "butter knife",
    "toiletpaper": "roll of toilet paper", "bread": "loaf of bread", "lettuce": "head of lettuce",
}  # fmt: skip
"""How goals spell the kinds that the style writes as one word, or that are not counted."""
PERSONAS = (
    "A house-sitter with a list on the fridge",
    "A grandson who promised to help, and was believed",
    "A household robot on its first day out of the box",
    "A night nurse, off duty, in somebody else's flat",
    "A caterer's assistant sent ahead of the others",
    "A tidy lodger in an untidy house",
)


def spelt(kind: str) -> str:
    return SPELT.get(kind, kind)
