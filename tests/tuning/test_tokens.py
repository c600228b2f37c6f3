"""Token rows against real tokenizers: what is learnt is what was said, and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.tuning.families import (
    CHATML,
    FAMILIES,
    LLAMA,
    MISTRAL,
    QUIET,
    QWEN,
    Family,
    chat,
    raw,
    saved,
)
from tests.worlds import lamp
from worldengine.rollout.runner import rollout
from worldengine.rollout.storage import Run
from worldengine.rollout.trajectory import Trajectory
from worldengine.tuning.conversation import Conversation, conversation
from worldengine.tuning.export import export
from worldengine.tuning.frame import Frame
from worldengine.tuning.masks import Mask
from worldengine.tuning.rendering import PROVEN, ControlText, NotPrefix, TemplateError, pieces
from worldengine.tuning.sources import Options
from worldengine.tuning.tokenizer import ChatTokenizer, TokenizerError, load, read_template
from worldengine.tuning.tokens import IGNORED, RowTooLong, TokenRow, Tokens

pytest.importorskip("transformers")

ODD = (
    "  Thought: leading spaces\nAction: look",
    "Thought: trailing\nAction: look  \n\n",
    "\nAction: look",
    "Thought: naïve café 🧺 \u202e ﷽ 日本語\nAction: look",
    "Thought: tabs\tand\r\nreturns\nAction: look",
    "x",
    "Thought: " + "very " * 400 + "long\nAction: look",
    "<b>[/INST] {{ messages }} {% raw %}\nAction: look",
    "word" * 50,
    "1234567890 0007",
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tokens") / "run"
    rollout([lamp()], "explorer", episodes=6, seed=4, out=folder)
    return folder


@pytest.fixture(scope="module")
def played(run: Path) -> list[Trajectory]:
    return [row.trajectory for row in Run(run).rows() if row.trajectory is not None]


def shaped(trajectory: Trajectory) -> Conversation:
    return conversation(trajectory, Mask()).until_trained()


def with_replies(trajectory: Trajectory, replies: tuple[str, ...]) -> Conversation:
    """The same conversation with other things said in it."""
    plain = shaped(trajectory)
    exchanges = tuple(
        replace(each, reply=replies[at % len(replies)]) for at, each in enumerate(plain.exchanges)
    )
    return replace(plain, exchanges=exchanges)


def check(row: TokenRow, chat: ChatTokenizer, family: Family) -> None:
    """Every law of a row, by means the code does not use."""
    told = row.conversation.exchanges
    assert len(row.input_ids) == len(row.labels)
    assert {label == IGNORED for label in row.labels} == {True, False}
    for token, label in zip(row.input_ids, row.labels, strict=True):
        assert label in (token, IGNORED)
    spoken = {each.turn: each for each in told}
    covered: set[int] = set()
    for span in row.spans:
        each = spoken[span.turn]
        ids = row.input_ids[span.start : span.end]
        text = chat.decode(ids)
        assert text.endswith(family.end) and text.count(family.end) == 1
        assert text.removesuffix(family.end).strip() == each.reply.strip()
        assert text.startswith(family.lead)
        labels = set(row.labels[span.start : span.end])
        assert labels == (set(ids) if each.train else {IGNORED})
        covered.update(range(span.start, span.end))
    assert all(label == IGNORED for at, label in enumerate(row.labels) if at not in covered)


def contexts(row: TokenRow, chat: ChatTokenizer, family: Family) -> None:
    """At every reply the row so far is what a model is asked with: the conversation before
    it through the template, tokenised in one go."""
    messages = chat.merged(row.conversation.messages())
    first = len(messages) - 2 * len(row.conversation.exchanges)
    for at, span in enumerate(row.spans):
        asked = raw(family).apply_chat_template(
            messages[: first + 2 * at + 1],
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
        )["input_ids"]
        assert list(row.input_ids[: span.start]) == list(asked)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_what_is_learnt_is_what_was_said(family: Family, played: list[Trajectory]) -> None:
    words = chat(family)
    for trajectory in played:
        (row,) = Tokens(words).of(shaped(trajectory))
        check(row, words, family)
        contexts(row, words, family)
        assert len(row.spans) == len(row.conversation.exchanges)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_odd_replies_keep_the_laws(family: Family, played: list[Trajectory]) -> None:
    words = chat(family)
    for first in range(len(ODD)):
        odd = ODD[first:] + ODD[:first]
        (row,) = Tokens(words).of(with_replies(played[0], odd))
        check(row, words, family)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_frame_cuts_as_rendering_does(family: Family, played: list[Trajectory]) -> None:
    """The fast way is the slow way: same pieces for plain and odd conversations."""
    said = [shaped(each) for each in played]
    said += [with_replies(played[0], ODD[first:] + ODD[:first]) for first in range(len(ODD))]
    fast, taken = chat(family), 0
    for each in said:
        slow = chat(family)  # has proven nothing yet, so renders every context
        fast.proven = PROVEN
        assert pieces(fast, each) == pieces(slow, each)
        taken += fast.proven == PROVEN
    assert isinstance(fast.frame, Frame) and taken == len(said)


def test_marks_of_the_shipped_template_cover_the_same_tokens(played: list[Trajectory]) -> None:
    """What trainers that go by generation marks learn is what token rows hold."""
    words = chat(CHATML)
    for trajectory in played:
        (row,) = Tokens(words).of(shaped(trajectory))
        marked = raw(CHATML).apply_chat_template(
            row.conversation.messages(), return_dict=True, return_assistant_tokens_mask=True
        )
        ids = list(marked["input_ids"])
        assert list(row.input_ids) == ids[: len(row.input_ids)]
        assert len(ids) - len(row.input_ids) <= 1  # the line end after the last reply
        mask = [int(label != IGNORED) for label in row.labels]
        assert list(marked["assistant_masks"])[: len(mask)] == mask


THINK = (
    "<think>\nThe lamp first.\n</think>\n\nThought: now\nAction: look",
    "<think>\nAnd then?\n</think>\n\nAction: inventory",
)


def test_thinking_that_is_stripped_is_refused_or_a_row_by_itself(
    played: list[Trajectory],
) -> None:
    words = chat(QWEN)
    thinking = with_replies(played[0], THINK)
    with pytest.raises(NotPrefix, match="--rows turn"):
        list(Tokens(words).of(thinking))
    rows = list(Tokens(words, rows="turn").of(thinking))
    assert len(rows) == thinking.trained_turns
    messages = thinking.messages()
    for row in rows:
        check(row, words, QWEN)
        (span,) = row.spans
        at = next(n for n, each in enumerate(thinking.exchanges) if each.turn == span.turn)
        asked = raw(QWEN).apply_chat_template(
            messages[: 2 * at + 2], add_generation_prompt=True, tokenize=True, return_dict=True
        )["input_ids"]
        assert list(row.input_ids[: span.start]) == list(asked)
        text = words.decode(row.input_ids)
        assert text.count("<think>") == 1  # its own, none of the past
        assert "<think>" in words.decode([i for i in row.labels if i != IGNORED])


def test_an_empty_thinking_block_needs_its_argument(played: list[Trajectory]) -> None:
    with pytest.raises(TemplateError, match="enable_thinking=false"):
        list(Tokens(chat(QUIET), rows="turn").of(shaped(played[0])))
    words = chat(QUIET, enable_thinking=False)
    with pytest.raises(NotPrefix):
        list(Tokens(words).of(shaped(played[0])))
    for row in Tokens(words, rows="turn").of(shaped(played[0])):
        check(row, words, QUIET)
        assert words.decode(row.input_ids[: row.spans[0].start]).endswith("</think>\n\n")


def test_templates_without_a_system_message(played: list[Trajectory]) -> None:
    plain = ChatTokenizer(raw(MISTRAL), name="brackets")
    with pytest.raises(TokenizerError, match="--system user"):
        list(Tokens(plain).of(shaped(played[0])))
    (row,) = Tokens(chat(MISTRAL)).of(shaped(played[0]))
    assert played[0].prompt in chat(MISTRAL).decode(row.input_ids)


def other(template: str) -> ChatTokenizer:
    from copy import deepcopy

    words = deepcopy(raw(CHATML))
    words.chat_template = template
    return ChatTokenizer(words, name="other")


@pytest.mark.parametrize(
    ("template", "complaint"),
    [
        ("{% for m in messages %}{{ m['content'] }}\n###\n{% endfor %}", "no control token"),
        (
            "{% for m in messages %}{{ m['content'] | upper }}<|im_end|>{% endfor %}",
            "changes the text",
        ),
        (
            "{{ messages | length }}{% for m in messages %}{{ m['content'] }}<|im_end|>"
            "{% endfor %}",
            "rewrites earlier turns",
        ),
        ("{% for m in messages %}{{ m['content'] }}{% endfor", "cannot render"),
    ],
)
def test_templates_that_allow_no_mask(
    template: str, complaint: str, played: list[Trajectory]
) -> None:
    with pytest.raises(TokenizerError, match=complaint):
        list(Tokens(other(template)).of(shaped(played[0])))


def test_control_tokens_in_what_is_said_are_refused(played: list[Trajectory]) -> None:
    said = with_replies(played[0], ("Thought: <|im_end|>\nAction: look",))
    with pytest.raises(ControlText, match="control token"):
        pieces(chat(CHATML), said)
    pieces(chat(LLAMA), said)  # only words to this one


def test_a_row_too_long_is_what_was_asked(played: list[Trajectory]) -> None:
    words = chat(LLAMA)
    whole = shaped(played[0])
    (row,) = Tokens(words).of(whole)
    limit = len(row.input_ids) - 1
    with pytest.raises(RowTooLong, match="--too-long"):
        list(Tokens(words, limit=limit).of(whole))
    assert list(Tokens(words, limit=limit, too_long="drop").of(whole)) == []
    (cut,) = Tokens(words, limit=limit, too_long="truncate").of(whole)
    assert cut.input_ids == row.input_ids[: len(cut.input_ids)] and len(cut.input_ids) <= limit
    assert cut.spans[-1].weight == 1.0 and cut.spans[-1].end == len(cut.input_ids)
    check(cut, words, LLAMA)
    assert list(Tokens(words, limit=20, too_long="truncate").of(whole)) == []


def test_ids_as_they_were_generated_are_taken_over(played: list[Trajectory]) -> None:
    """A model may cut words in a way of its own: its ids are kept if they read the same."""
    words = chat(CHATML)
    whole = shaped(played[0])
    letters = {
        each.turn: [words.encode([letter])[0][0] for letter in each.reply]
        for each in whole.exchanges
    }
    letters[0] = letters[0][1:]  # another text
    letters[1] = [10**9]  # no tokens of this tokenizer at all
    (row,) = Tokens(words).of(
        replace(
            whole,
            exchanges=tuple(replace(e, ids=tuple(letters[e.turn])) for e in whole.exchanges),
        )
    )
    check(row, words, CHATML)
    assert [span.ids for span in row.spans[:2]] == ["unread", "unread"]
    for span in row.spans[2:]:
        assert list(row.input_ids[span.start : span.end - 1]) == letters[span.turn]
        assert span.ids == "kept" and span.asked is None


def test_export_counts_and_loads_from_a_folder(run: Path, tmp_path: Path) -> None:
    words = load(saved(LLAMA, tmp_path / "tokenizer"))
    summary = export(run, Options(to="tokens", tokens=Tokens(words)), tmp_path / "x.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "x.jsonl").open()]
    assert summary.rows == len(rows) > 0
    assert summary.tokens == sum(len(row["input_ids"]) for row in rows)
    for row in rows:
        assert row["tokens"] == len(row["input_ids"]) == len(row["labels"])
        assert row["trained_tokens"] == sum(label != IGNORED for label in row["labels"])
        assert row["trained_turns"] == sum(span["weight"] for span in row["spans"])
    text = export(run, Options(tokens=Tokens(words)), tmp_path / "y.jsonl")
    assert text.tokens == summary.tokens
    assert text.trained_turns == summary.trained_turns
    most = max(row["tokens"] for row in rows)
    short = Tokens(words, limit=most - 1, too_long="drop")
    fewer = export(run, Options(to="tokens", tokens=short), tmp_path / "z.jsonl")
    assert fewer.rows == len(rows) - fewer.too_long and fewer.too_long >= 1


def test_what_is_no_tokenizer_is_said(tmp_path: Path) -> None:
    with pytest.raises(TokenizerError, match="no folder"):
        load("someone/some-model")
    with pytest.raises(TokenizerError, match="holds no tokenizer"):
        load(tmp_path)
    words = raw(CHATML)
    kept, words.chat_template = words.chat_template, None
    try:
        words.save_pretrained(tmp_path / "bare")
    finally:
        words.chat_template = kept
    with pytest.raises(TokenizerError, match="no chat template"):
        load(tmp_path / "bare")
    template = tmp_path / "mine.jinja"
    template.write_text(CHATML.template)
    load(tmp_path / "bare", template=read_template(template))


def test_a_real_player_is_asked_with_the_tokens_of_the_row(tmp_path: Path) -> None:
    """A model on this machine plays; the rows of its play are what it was given and wrote."""
    pytest.importorskip("torch")
    from tests.models.tiny import network
    from worldengine.players.models.hf import HF, OPTIONS
    from worldengine.players.protocol import Start
    from worldengine.rollout.episode import Episode
    from worldengine.rollout.trajectory import PlayerRecord, Provenance

    words = raw(CHATML)
    settings: dict[str, Any] = {option.name: option.default for option in OPTIONS}
    settings |= {"max_tokens": 24, "constrain": "react", "device": "cpu", "temperature": 1.0}
    player = HF("hf:tiny", network(len(words)), words, settings)
    given: list[list[int]] = []
    job = player._job

    def spied(view: Any) -> Any:
        made = job(view)
        given.append(list(made.ids))
        return made

    player._job = spied  # type: ignore[method-assign]
    from random import Random

    origin = Provenance(
        machine_hash=lamp().hash,
        variant=0,
        seed=0,
        episode=0,
        player=PlayerRecord(name="hf:tiny"),
        command_set="known",
    )
    episode = Episode(lamp(), origin)
    player.reset([Start(episode.view(), Random(5))])
    wrote: dict[int, list[int]] = {}
    for turn in range(4):
        (reply,) = player.act([episode.view()])
        ends = words.convert_tokens_to_ids(["<|im_end|>"])
        wrote[turn] = [token for token in reply.ids if token not in ends]
        episode.take(reply)
    whole = conversation(episode.trajectory(), Mask(()))
    (row,) = Tokens(chat(CHATML)).of(whole)
    assert len(row.spans) == len(given) == 4
    for span, asked in zip(row.spans, given, strict=True):
        assert list(row.input_ids[: span.start]) == asked and span.asked
        assert list(row.input_ids[span.start : span.end - 1]) == wrote[span.turn]


def test_the_training_loop_reads_the_same_labels_from_both_formats(
    run: Path, tmp_path: Path
) -> None:
    """Token rows, and messages through the shipped template, teach our own loop the same."""
    pytest.importorskip("torch")
    from worldengine.tuning.rows import tokenised

    words = chat(CHATML)
    export(run, Options(to="tokens", tokens=Tokens(words)), tmp_path / "tokens.jsonl")
    export(run, Options(to="messages"), tmp_path / "messages.jsonl")
    size = len(words.raw)
    exact, _ = tokenised([str(tmp_path / "tokens.jsonl")], words.raw, 100_000, size)
    marked, _ = tokenised([str(tmp_path / "messages.jsonl")], words.raw, 100_000, size)
    assert [row.id for row in exact] == [row.id for row in marked]
    for one, other in zip(exact, marked, strict=True):
        length = len(one.labels)
        assert other.input_ids[:length] == one.input_ids and other.labels[:length] == one.labels
        assert set(other.labels[length:]) <= {IGNORED} and one.start == other.start


@pytest.mark.parametrize(
    ("template", "complaint"),
    [
        ("{{ 1/0 }}", "cannot render a conversation: ZeroDivisionError"),
        ("{{ 2.0 ** 100000 }}", "cannot render a conversation: OverflowError"),
        ("{{ messages[0] + 1 }}", "cannot render a conversation: TypeError"),
    ],
)
def test_whatever_a_template_raises_is_a_sentence(template: str, complaint: str) -> None:
    with pytest.raises(TokenizerError, match=complaint):
        other(template).render([{"role": "user", "content": "x"}])


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system bounds no memory")
@pytest.mark.parametrize(
    "template",
    [
        '{{ ("a" * 10000000000) | length }}',
        "{% set ns = namespace(x='a') %}{% for i in range(40) %}{% set ns.x = ns.x ~ ns.x %}"
        "{% endfor %}{{ ns.x | length }}",
    ],
)
def test_a_template_builds_no_gigabytes(template: str) -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    with pytest.raises(TokenizerError, match="takes more memory"):
        other(template).render([{"role": "user", "content": "x"}])
    assert resource.getrlimit(resource.RLIMIT_AS) == before


@pytest.mark.parametrize("name", ["messages", "conversation", "tokenize", "tools"])
def test_arguments_the_renderer_has_itself(name: str) -> None:
    with pytest.raises(TokenizerError, match=f"{name} is no argument for a chat template"):
        ChatTokenizer(raw(CHATML), name="words", arguments={name: 3})


@pytest.mark.parametrize("text", ["[]", "3", '{"added_tokens_decoder": 5}', "{", "\x00"])
def test_a_folder_with_anything_in_it(tmp_path: Path, text: str) -> None:
    saved(CHATML, tmp_path)
    (tmp_path / "tokenizer_config.json").write_text(text)
    with pytest.raises(TokenizerError, match="holds no tokenizer that can be read"):
        load(tmp_path)


def test_a_template_that_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "t.jinja"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TokenizerError, match="not UTF-8"):
        read_template(file)
