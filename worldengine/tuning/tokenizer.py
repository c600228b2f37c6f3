"""A tokenizer with a chat template, from a folder on this machine.

In: a folder as `save_pretrained` writes it, perhaps a template of one's own. Out: rendered
conversations and ids. Nothing is fetched and no code of the folder is run; templates are run
in the sandbox that transformers has for them. Refused: a folder without a tokenizer or a
template, a template that cannot render a conversation, and arguments that the renderer has
itself. Whatever a folder or a template raises is its own fault, and told in a sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from worldengine.tuning.memory import growing_by

TEMPLATE_LIMIT = 1_000_000
TEMPLATE_MEMORY = 2 << 30
"""Bytes that one rendering may take."""

RESERVED = frozenset(
    {
        "conversation", "conversations", "messages", "chat", "tools", "documents", "chat_template",
        "add_generation_prompt", "continue_final_message", "tokenize", "sanitize_control_tokens",
        "padding", "truncation", "max_length", "return_tensors", "return_dict",
        "return_assistant_tokens_mask", "tokenizer_kwargs", "self", "compiled_template",
    }
)  # fmt: skip
"""Names that the renderer gives to a template, or has for itself."""

REMEMBERED = 20_000
"""Texts whose ids are kept."""


class TokenizerError(ValueError):
    """The tokenizer or its template cannot be used; the message is for people."""


class ChatTokenizer:
    """`system` says where the prompt goes: `system` for a message of its own, `user` for the
    head of the first user message, where a template knows no system message. `arguments` are
    handed to the template, as `enable_thinking` is."""

    def __init__(
        self,
        tokenizer: Any,
        *,
        name: str = "",
        system: str = "system",
        arguments: Mapping[str, Any] | None = None,
    ) -> None:
        if not tokenizer.chat_template:
            raise TokenizerError(
                f"the tokenizer {name} has no chat template; give one with --template"
            )
        taken = sorted(RESERVED.intersection(arguments or {}))
        if taken:
            raise TokenizerError(
                f"{taken[0]} is no argument for a chat template: the program sets it itself"
            )
        self.raw = tokenizer
        self.name = name
        self.proven = 0
        self.frame: object = None
        """What `rendering` has found out of the template so far."""
        self._known: dict[str, list[int]] = {}
        self._merge = system == "user"
        self._arguments = dict(arguments or {})
        added = {str(token) for token in tokenizer.all_special_tokens}
        decoder = getattr(tokenizer, "added_tokens_decoder", {})
        added |= {str(token.content) for token in decoder.values() if token.special}
        self.control = tuple(sorted(filter(None, added), key=lambda text: (-len(text), text)))
        """Tokens with a meaning of their own, longest first: no content may hold one."""

    def render(self, messages: Sequence[Mapping[str, Any]], generate: bool = False) -> str:
        """The conversation as text; with `generate`, up to where a reply would begin."""
        try:
            with growing_by(TEMPLATE_MEMORY):
                text = self.raw.apply_chat_template(
                    self.merged(messages),
                    tokenize=False,
                    add_generation_prompt=generate,
                    **self._arguments,
                )
        except Exception as error:  # a template may raise anything
            refused = type(error).__module__.startswith("jinja2") and not self._merge
            hint = "; if it knows no system message, use --system user" if refused else ""
            raise TokenizerError(
                f"the chat template of {self.name} cannot render a conversation: "
                f"{_told(error)}{hint}"
            ) from None
        return str(text)

    def merged(self, messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The messages as the template is given them."""
        found = [dict(each) for each in messages]
        if self._merge and len(found) > 1 and found[0]["role"] == "system":
            prompt = found.pop(0)["content"]
            found[0]["content"] = f"{prompt}\n\n{found[0]['content']}"
        return found

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids of each text by itself, without tokens that no text asked for. Prompts and
        observations come again and again: their ids are remembered."""
        if len(self._known) > REMEMBERED:
            self._known.clear()
        fresh = [text for text in dict.fromkeys(texts) if text not in self._known]
        if fresh:
            try:
                found = self.raw(fresh, add_special_tokens=False, return_attention_mask=False)
            except Exception as error:  # so may a tokenizer, at a text it has no tokens for
                raise TokenizerError(
                    f"the tokenizer {self.name} cannot read a text: {_told(error)}"
                ) from None
            self._known.update(zip(fresh, found["input_ids"], strict=True))
        return [list(self._known[text]) for text in texts]

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids, control tokens too."""
        text = self.raw.decode(
            list(ids), skip_special_tokens=False, clean_up_tokenization_spaces=False
        )
        return str(text)

    def control_in(self, text: str) -> str:
        """A control token that stands in a text as words, "" if none does."""
        return next((token for token in self.control if token in text), "")


def load(
    folder: Path | str,
    *,
    template: str | None = None,
    system: str = "system",
    arguments: Mapping[str, Any] | None = None,
) -> ChatTokenizer:
    """The tokenizer of a folder as a ChatTokenizer; `template` in place of its own."""
    path = Path(folder)
    if not path.is_dir():
        raise TokenizerError(
            f"{folder} is no folder with a tokenizer; models and tokenizers are read from this "
            "machine only"
        )
    from transformers import AutoTokenizer

    try:
        raw = AutoTokenizer.from_pretrained(
            str(path), local_files_only=True, trust_remote_code=False
        )
    except Exception as error:  # the files may hold anything
        raise TokenizerError(
            f"{folder} holds no tokenizer that can be read: {_told(error)}"
        ) from None
    if template is not None:
        raw.chat_template = template
    return ChatTokenizer(raw, name=str(folder), system=system, arguments=arguments)


def _told(error: Exception) -> str:
    """The first line of what went wrong. jinja2's and OSError's words stand by themselves."""
    if isinstance(error, MemoryError):
        return "it takes more memory than there is for it"
    first = str(error).strip().partition("\n")[0][:300]
    if first and (isinstance(error, OSError) or type(error).__module__.startswith("jinja2")):
        return first
    return f"{type(error).__name__}{': ' + first if first else ''}"


def read_template(path: Path) -> str:
    """A chat template from a file."""
    if path.stat().st_size > TEMPLATE_LIMIT:
        raise TokenizerError(f"{path} is too large for a chat template")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise TokenizerError(f"{path} is no chat template: it is not UTF-8 text") from None
