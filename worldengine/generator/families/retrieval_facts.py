"""An invented encyclopedia: people, towns, works and societies, with facts that refer to each
other, and questions whose answer follows from it.

In: a seeded generator, how many documents more than the questions need. Out: a `Library`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

_FIRST = ("Alda", "Bertran", "Corvin", "Dela", "Emeric", "Fenja", "Goran", "Hesper", "Ivo", "Jorunn",
          "Kasper", "Linnea", "Matthis", "Nerys", "Osric", "Petra", "Quill", "Rosamund", "Stellan", "Tamsin")  # fmt: skip
_LAST = ("Abelard", "Brackwater", "Cordell", "Dunmore", "Estcourt", "Fairholm", "Garrick", "Hollin",
         "Ingram", "Jessop", "Kettering", "Larkfield", "Marchbanks", "Northcote", "Ormerod", "Pellew",
         "Quarles", "Rushworth", "Standish", "Thackeray")  # fmt: skip
_TOWN = ("Avenholt", "Brimley", "Castern", "Dovecombe", "Eskmouth", "Farrow Bay", "Glimmerton", "Harrowgate Cross",
         "Inverlane", "Juniper Hill", "Kelmarsh", "Lowmere", "Marlpit", "Netherby", "Oxenford Green", "Pinecastle")  # fmt: skip
_WORK = ("Kestrel Bridge", "Lantern Theatre", "Iron Chapel", "Swan Aqueduct", "Northern Lighthouse",
         "Glass Market", "Copper Dome", "Old Observatory", "Harbour Crane", "Winter Palace Pump", "Tide Mill", "Owl Tower")  # fmt: skip
_CLUB = ("Society of Weavers", "Chamber of Mapmakers", "Guild of Bell Founders", "Club of Early Risers",
         "League of Gardeners", "Union of Ferrymen", "Academy of Locks", "Order of Salt")  # fmt: skip
_TRADE = (
    "architect",
    "engineer",
    "stonemason",
    "botanist",
    "clockmaker",
    "surveyor",
    "glass painter",
    "shipwright",
)
_FOOD = (
    "smoked eel",
    "walnut bread",
    "blue cheese",
    "plum dumplings",
    "barley soup",
    "saffron cake",
    "pickled beans",
    "heather honey",
)
_RIVER = ("Alne", "Brode", "Carrow", "Dunnet", "Elver", "Fossil Beck", "Gannel", "Humberel")


@dataclass
class Document:
    """`lines` are what `look up` finds: a word, a sentence."""

    title: str
    opening: str
    lines: list[tuple[str, str]] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    kind: str = ""


@dataclass(frozen=True)
class Question:
    text: str
    task: str
    answer: str
    offered: tuple[str, ...]
    plan: tuple[str, ...]


@dataclass
class Library:
    random: Random
    documents: list[Document]

    def of(self, kind: str) -> list[Document]:
        return [document for document in self.documents if document.kind == kind]

    def titled(self, title: str) -> Document:
        return next(document for document in self.documents if document.title == title)

    def question(self, task: str) -> Question | None:
        """A question of this task that the documents answer."""
        makers: dict[str, Callable[[], Question | None]] = {
            "one-hop": self._one_hop,
            "two-hop": self._two_hop,
            "three-hop": self._three_hop,
            "comparison": self._comparison,
            "count": self._count,
        }
        return makers[task]()

    # --- questions ----------------------------------------------------------------------------

    def _made(
        self, text: str, task: str, answer: str, offered: list[str], plan: list[str]
    ) -> Question:
        return Question(
            text, task, answer, tuple(sorted({answer, *offered})), (*plan, f"answer {answer}")
        )

    def _values(self, fact: str) -> list[str]:
        return sorted({d.facts[fact] for d in self.documents if fact in d.facts})

    def _one_hop(self) -> Question:
        document = self.random.choice([d for d in self.documents if d.facts])
        fact = self.random.choice(sorted(document.facts))
        text, word = _ASK[fact]
        plan = [f"search {document.title}", f"look up {word}"]
        return self._made(
            text.format(document.title), "one-hop", document.facts[fact], self._values(fact), plan
        )

    def _two_hop(self) -> Question:
        work = self.random.choice(self.of("work"))
        maker = self.titled(work.facts["designer"])
        fact = self.random.choice(["born", "trade", "club"])
        text = {"born": "In which town was the designer of the {} born?", "trade": "What was the trade of the designer of the {}?",
                "club": "To which society did the designer of the {} belong?"}[fact]  # fmt: skip
        plan = [
            f"search {work.title}",
            "look up designer",
            f"search {maker.title}",
            f"look up {_ASK[fact][1]}",
        ]
        return self._made(
            text.format(work.title), "two-hop", maker.facts[fact], self._values(fact), plan
        )

    def _three_hop(self) -> Question:
        work = self.random.choice(self.of("work"))
        maker = self.titled(work.facts["designer"])
        town = self.titled(maker.facts["born"])
        fact = self.random.choice(["river", "dish"])
        text = {"river": "On which river lies the town where the designer of the {} was born?",
                "dish": "Which dish is the town known for where the designer of the {} was born?"}[fact]  # fmt: skip
        plan = [
            f"search {work.title}",
            "look up designer",
            f"search {maker.title}",
            "look up born",
            f"search {town.title}",
            f"look up {_ASK[fact][1]}",
        ]
        return self._made(
            text.format(work.title), "three-hop", town.facts[fact], self._values(fact), plan
        )

    def _comparison(self) -> Question:
        kind, fact, text = self.random.choice([
            ("work", "year", "Which was finished earlier, the {} or the {}?"),
            ("town", "people", "Which town has more inhabitants, {} or {}?"),
            ("club", "founded", "Which was founded earlier, the {} or the {}?"),
        ])  # fmt: skip
        rows = self.random.sample(self.of(kind), 2)
        if rows[0].facts[fact] == rows[1].facts[fact]:
            return self._one_hop()
        best = (max if fact == "people" else min)(rows, key=lambda d: int(d.facts[fact]))
        plan = [c for d in rows for c in (f"search {d.title}", f"look up {_ASK[fact][1]}")]
        offered = [d.title for d in rows]
        return self._made(text.format(*offered), "comparison", best.title, offered, plan)

    def _count(self) -> Question:
        club = self.random.choice(self.of("club"))
        members = sum(d.facts["club"] == club.title for d in self.of("person"))
        plan = [c for d in self.of("person") for c in (f"search {d.title}", "look up society")]
        text = f"How many of the people in the index belonged to the {club.title}?"
        offered = [str(number) for number in range(len(self.of("person")) + 1)]
        return self._made(text, "count", str(members), offered, plan)


_ASK = {
    "designer": ("Who designed the {}?", "designer"),
    "year": ("In which year was the {} finished?", "finished"),
    "stands": ("In which town does the {} stand?", "town"),
    "born": ("In which town was {} born?", "born"),
    "trade": ("What was the trade of {}?", "trade"),
    "club": ("To which society did {} belong?", "society"),
    "river": ("On which river does {} lie?", "river"),
    "dish": ("Which dish is {} known for?", "dish"),
    "people": ("How many people live in {}?", "inhabitants"),
    "founded": ("In which year was the {} founded?", "founded"),
    "seat": ("In which town has the {} its seat?", "seat"),
}


def library(random: Random, extra: int) -> Library:
    """Some eight documents and `extra` more."""
    sizes = {"town": 2 + extra // 4, "club": 2 + extra // 6, "person": 2 + extra // 3, "work": 2}
    while sum(sizes.values()) < 8 + extra:
        sizes["work"] += 1
    books = Library(random, [])
    towns = random.sample(_TOWN, min(sizes["town"], len(_TOWN)))
    clubs = random.sample(_CLUB, min(sizes["club"], len(_CLUB)))
    firsts, lasts = random.sample(_FIRST, sizes["person"]), random.sample(_LAST, sizes["person"])
    people = [f"{first} {last}" for first, last in zip(firsts, lasts, strict=True)]
    works = random.sample(_WORK, min(sizes["work"], len(_WORK)))
    rivers, dishes = random.sample(_RIVER, len(_RIVER)), random.sample(_FOOD, len(_FOOD))
    for number, town in enumerate(towns):
        books.documents.append(_town(random, town, rivers[number % 8], dishes[number % 8]))
    for club in clubs:
        books.documents.append(_club(random, club, random.choice(towns)))
    for person in people:
        books.documents.append(_person(random, person, random.choice(towns), random.choice(clubs)))
    for work in works:
        books.documents.append(_work(random, work, random.choice(people), random.choice(towns)))
    random.shuffle(books.documents)
    return books


def _town(random: Random, name: str, river: str, dish: str) -> Document:
    people = str(random.randint(8, 980) * 100)
    lines = [
        ("river", f"{name} lies on the river {river}, which freezes one winter in ten."),
        ("dish", f"Visitors come for {dish}, and say so loudly."),
        ("inhabitants", f"At the last count it had {people} inhabitants."),
        ("mayor", "The mayor is elected by lot, and complains about it."),
    ]
    facts = {"river": river, "dish": dish, "people": people}
    return Document(name, "a town with a market on Thursdays.", lines, facts, "town")


def _club(random: Random, name: str, seat: str) -> Document:
    year = str(random.randint(1480, 1890))
    lines = [
        ("founded", f"It was founded in {year}, over a dispute."),
        ("seat", f"Its seat is a narrow house in {seat}."),
        ("motto", "Its motto is too long for its seal."),
    ]
    return Document(
        name,
        "a society with more rules than members.",
        lines,
        {"founded": year, "seat": seat},
        "club",
    )


def _person(random: Random, name: str, town: str, club: str) -> Document:
    trade = random.choice(_TRADE)
    year = random.randint(1600, 1880)
    lines = [
        ("born", f"{name} was born in {town} in {year}, the youngest of many."),
        (
            "trade",
            f"By trade {name} was {'an' if trade[0] in 'aeiou' else 'a'} {trade}, and not a rich one.",
        ),
        ("society", f"For thirty years {name} belonged to the {club}."),
        ("married", "Married late, and happily."),
    ]
    facts = {"born": town, "trade": trade, "club": club}
    return Document(name, "remembered for work that others finished.", lines, facts, "person")


def _work(random: Random, name: str, person: str, town: str) -> Document:
    year = str(random.randint(1620, 1930))
    lines = [
        ("designer", f"The {name} is the work of the designer {person}."),
        ("finished", f"It was finished in {year}, eleven years late."),
        ("town", f"It stands at the edge of the town of {town}."),
        ("restored", "It has been restored twice, once well."),
    ]
    facts = {"designer": person, "year": year, "stands": town}
    return Document(name, "a landmark, much drawn and seldom entered.", lines, facts, "work")
