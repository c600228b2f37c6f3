"""How varied texts are, on a sample of fixed size.

In: texts with an id. Out: distinct-n, compression ratio, repeated templates. All three fall as
a corpus grows, so they are measured on the texts with the smallest hashes, as many as asked
for: the same ones in whatever order the corpus is read, and comparable between corpora.

- distinct-n: different runs of n words over all of them (Li et al. 2016).
- compression ratio: bytes over bytes deflated (Shaib et al. 2024); higher is more alike.
- repeated templates: the share of texts whose template another text has, too. A template is the
  text with quotations, numbers and the words of its own command left out.
- repeated frames: the share of sentences whose frame occurs OFTEN times or more. A frame is one
  sentence without quotations, numbers and the words of all commands of its play.
"""

from __future__ import annotations

import hashlib
import heapq
import re
import zlib
from collections import Counter
from dataclasses import dataclass

_QUOTED = re.compile(r"[\"“][^\"”]{0,400}[\"”]")
_NUMBER = re.compile(r"[0-9]+")
_WORD = re.compile(r"\w+|[^\w\s]")
_SENTENCE = re.compile(r"(?<=[.!?…])\s+")
OFTEN = 5
Text = tuple[str, str, str]
"""A text, its own command, all commands of its play."""


class Sample:
    """The `size` texts with the smallest hashes of those that were offered."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._heap: list[tuple[int, str, str, str]] = []
        self.offered = 0

    def offer(self, key: str, text: str, command: str = "", commands: str = "") -> None:
        """`key` names the text; its command and those of its play are kept with it."""
        self.offered += 1
        digest = hashlib.blake2b(key.encode(), digest_size=8).digest()
        place = -int.from_bytes(digest, "big")
        if len(self._heap) < self._size:
            heapq.heappush(self._heap, (place, text, command, commands))
        elif place > self._heap[0][0]:
            heapq.heapreplace(self._heap, (place, text, command, commands))

    def texts(self) -> list[Text]:
        """By hash: the first of them are a sample, too."""
        return [(text, one, all_) for _, text, one, all_ in sorted(self._heap, reverse=True)]


@dataclass(frozen=True, slots=True)
class Diversity:
    """`distinct` are distinct-1, -2 and -3; `most` the commonest templates with their counts."""

    measured: int
    of: int
    words: float
    distinct: tuple[float, float, float]
    compression: float
    repeated: float
    templates: int
    most: tuple[tuple[str, int], ...]
    sentences: int = 0
    frames: float = 0.0
    """The share of sentences whose frame is repeated."""

    def told(self) -> dict[str, object]:
        return {
            "measured": self.measured,
            "of": self.of,
            "words": round(self.words, 2),
            "distinct_1": round(self.distinct[0], 4),
            "distinct_2": round(self.distinct[1], 4),
            "distinct_3": round(self.distinct[2], 4),
            "compression_ratio": round(self.compression, 3),
            "repeated_templates": round(self.repeated, 4),
            "templates": self.templates,
            "sentences": self.sentences,
            "repeated_frames": round(self.frames, 4),
            "commonest": [{"template": text, "count": count} for text, count in self.most],
        }


def diversity(sample: Sample, most: int | None = None) -> Diversity:
    """Of the texts that were sampled, of the first `most` if that is given."""
    texts = sample.texts()[:most]
    words = [text.lower().split() for text, _, _ in texts]
    templates = Counter(template(text, command) for text, command, _ in texts)
    frames = Counter(frame for text, _, commands in texts for frame in framed(text, commands))
    data = "\n".join(text for text, _, _ in texts).encode("utf-8", "replace")
    count = len(texts)
    repeated = sum(number for number in templates.values() if number > 1)
    commonest = sorted(templates.items(), key=lambda item: (-item[1], item[0]))[:10]
    return Diversity(
        measured=count,
        of=sample.offered,
        words=sum(map(len, words)) / count if count else 0.0,
        distinct=(_distinct(words, 1), _distinct(words, 2), _distinct(words, 3)),
        compression=len(data) / len(zlib.compress(data, 9)) if data else 0.0,
        repeated=repeated / count if count else 0.0,
        templates=len(templates),
        most=tuple(commonest),
        sentences=frames.total(),
        frames=_often(frames) / frames.total() if frames else 0.0,
    )


def _distinct(texts: list[list[str]], n: int) -> float:
    runs = [tuple(words[at : at + n]) for words in texts for at in range(len(words) - n + 1)]
    return len(set(runs)) / len(runs) if runs else 0.0


def _often(frames: Counter[str]) -> int:
    return sum(count for count in frames.values() if count >= OFTEN)


def framed(text: str, commands: str) -> list[str]:
    """The frames of a text's sentences."""
    bare = _QUOTED.sub("“…”", text)
    return [template(sentence, commands) for sentence in _SENTENCE.split(bare) if sentence]


def template(text: str, command: str) -> str:
    """The text without what is particular: quotations, numbers, the words of the command."""
    own = {word.lower() for word in _WORD.findall(command) if len(word) > 2}
    bare = _NUMBER.sub("N", _QUOTED.sub("“…”", text))
    words = ["_" if word.lower() in own else word for word in _WORD.findall(bare)]
    return " ".join(words)
