"""Questions over several documents: search a title, look a word up in what is open, answer.

The commands are those of question answering by retrieval (`search`, `look up`, `answer`); the
little encyclopedia behind them is invented for each world, so that nothing can be known by heart.
A question takes one hop or several, or compares two things. A wrong answer ends it where
mistakes are on, else it is refused. No answer is taken before the lines it rests on were read,
so that guessing is no way to win.
"""

from __future__ import annotations

from random import Random

from worldengine.generator.families.frame import Sheet, dial, fitting, task_of
from worldengine.generator.families.retrieval_facts import Library, Question, library
from worldengine.generator.script import Script
from worldengine.generator.settings import Settings
from worldengine.generator.words import quoted

Line = tuple[str, str]
"""A title and the word under which a line of it is found."""
TASKS = ("one-hop", "two-hop", "three-hop", "comparison", "count")
PERSONAS = (
    "A reference librarian at a quiet desk",
    "A quiz writer who checks every answer",
    "A local historian with a deadline",
    "A journalist who wants it confirmed",
    "A student who has been told to cite",
)


def retrieval(random: Random, settings: Settings) -> Script:
    """One question, or several one after the other where the plan asks for it."""
    strict = dial(random, settings.mistakes, 1, "mistakes", "retrieval")
    extra = dial(random, settings.distractors, 12, "distractors", "retrieval")
    dial(random, settings.places, 1, "places", "retrieval", 1)
    target = random.randint(settings.plan[0], min(settings.plan[1], 30))

    def make(attempt: int) -> Script | None:
        books = library(random, extra)
        goal = target if attempt < 80 else settings.plan[0]
        asked: list[Question] = []
        for _ in range(12):
            if sum(len(q.plan) for q in asked) < goal - 2:
                question = books.question(task_of(random, settings, TASKS))
                if question is not None and all(question.text != q.text for q in asked):
                    asked.append(question)
        return _script(random, books, asked, bool(strict), extra) if asked else None

    return fitting(settings, "retrieval", make)


def _script(
    random: Random, books: Library, asked: list[Question], strict: bool, extra: int
) -> Script:
    sheet = Sheet(
        random.choice(
            (
                "The reading room",
                "Look it up",
                "Ask the shelves",
                "Cited and checked",
                "A matter of record",
                "By the next post",
                "Page by page",
                "The index knows",
            )
        ),
        random.choice(PERSONAS),
        "The index is in front of you: search a title, look up a word in what is open, and answer.",
        "The library closes.",
    )
    sheet.distractors = extra
    first, *rest = asked
    sheet.goals.append(f"Answer: {first.text}")
    sheet.goals += [f"Then: {question.text}" for question in rest]
    answers = sorted({value for question in asked for value in question.offered})
    words = sorted({word for document in books.documents for word, _ in document.lines})
    ids = {value: f"a_{number}" for number, value in enumerate(answers)}
    keys = {word: f"w_{word.replace(' ', '_')}" for word in words}
    sheet.add("kind document is thing { portable = false }", "kind keyword", "kind candidate")
    titles = ", ".join(sorted(document.title for document in books.documents))
    sheet.add(
        f'place reading_room "reading room" {{ describe {quoted(f"Titles in the index: {titles}.")} }}'
    )
    for number, document in enumerate(books.documents):
        opening = f"{document.title}: {document.opening}"
        sheet.add(
            f"document d_{number} {quoted(document.title)} proper in reading_room {{ describe {quoted(opening)} }}"
        )
    sheet.add(*(f"keyword {keys[word]} {quoted(word)}" for word in words))
    sheet.add(*(f"candidate {ids[value]} {quoted(value)}" for value in answers))
    cited = _cited(asked)
    flags = " ".join(f"{flag} : bool = false" for flag in cited.values())
    sheet.add(
        f"player in reading_room {{ page : document? = none asked : 0..{len(asked)} = 0 found : bool = false {flags} {'wrong : bool = false' if strict else ''} }}"
    )
    sheet.add(*_verbs(books, asked, ids, keys, strict, cited))
    if strict:
        sheet.mistakes = 1
        sheet.mechanics.add("wrong answer loses")
        sheet.goals.append("A wrong answer ends it.")
        sheet.add('lose when player.wrong say "That is not the answer, and it is in the book now."')
    for number, question in enumerate(asked, start=1):
        sheet.plan.extend(question.plan)
        sheet.mechanics.add(question.task)
        if number < len(asked):
            sheet.add(
                f'milestone question_{number} "answered question {number}" when player.asked >= {number}'
            )
    sheet.add('milestone looked "found something by its word" when player.found')
    sheet.add(f'win when player.asked == {len(asked)} say "Correct."')
    return sheet.script("reading_room_questions", "retrieval")


def _lines(question: Question) -> list[Line]:
    """The lines that the plan of a question looks up, each once."""
    found: list[Line] = []
    title = ""
    for command in question.plan:
        if command.startswith("search "):
            title = command.removeprefix("search ")
        elif command.startswith("look up "):
            found.append((title, command.removeprefix("look up ")))
    return list(dict.fromkeys(found))


def _cited(asked: list[Question]) -> dict[Line, str]:
    """The lines that answers rest on, with what remembers that each was read."""
    lines = dict.fromkeys(line for question in asked for line in _lines(question))
    return {line: f"read_{number}" for number, line in enumerate(lines)}


def _verbs(
    books: Library,
    asked: list[Question],
    ids: dict[str, str],
    keys: dict[str, str],
    strict: bool,
    cited: dict[Line, str],
) -> list[str]:
    def noted(title: str, word: str) -> str:
        flag = cited.get((title, word))
        return f"set player.{flag} = true" if flag else ""

    rests = " or ".join(
        " and ".join(
            [f"player.asked == {n}", *(f"player.{cited[line]}" for line in _lines(question))]
        )
        for n, question in enumerate(asked)
    )
    lines = " ".join(
        f"d_{number}, {keys[word]} {{ set player.found = true {noted(document.title, word)} say {quoted(text)} }}"
        for number, document in enumerate(books.documents)
        for word, text in document.lines
    )
    rights = " else ".join(
        f"if player.asked == {n} and c == {ids[question.answer]} {{ set player.asked = {n + 1} say {quoted(_heard(asked, n))} }}"
        for n, question in enumerate(asked)
    )
    right = " or ".join(
        f"player.asked == {n} and c == {ids[q.answer]}" for n, q in enumerate(asked)
    )
    wrong = "else { set player.wrong = true }" if strict else ""
    needed = "" if strict else f'require {right} else logic "That is not what the documents say."'
    return [
        """action search(d: document here) { form "search {d}" form "search for {d}"
        set player.page = d say "{d.describe}" }""",
        f"""action look_up(w: keyword anywhere) {{ form "(look up|lookup) {{w}}"
        require player.page != none else logic "No document is open: search a title first."
        match player.page, w {{ {lines} else {{ say "{{player.page}} says nothing about it." }} }} }}""",
        f"""action answer(c: candidate anywhere) {{ form "answer {{c}}" form "finish {{c}}"
        require {rests} else logic "You have not read all that an answer rests on: look it up first."
        {needed}
        {rights} {wrong} }}""",
    ]


def _heard(asked: list[Question], number: int) -> str:
    if number + 1 < len(asked):
        return f"Yes. The next question: {asked[number + 1].text}"
    return "Yes."
