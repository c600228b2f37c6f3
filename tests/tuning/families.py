"""Tokenizers of several template families, trained on the spot on the shipped worlds.

Each template is our own wording of how a family lays out a conversation: where system, user
and assistant turns begin, what ends a reply, what is trimmed, what is left out of the past.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from worldengine.resources import shipped_worlds
from worldengine.tuning.template import SHIPPED
from worldengine.tuning.tokenizer import ChatTokenizer

GPT_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""How Llama 3 and its kin cut text before pairs are merged."""

HEADERS = """\
{{- bos_token }}
{%- for m in messages %}
{{- '<|start_header_id|>' + m['role'] + '<|end_header_id|>\n\n' + m['content'] | trim }}
{{- '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|start_header_id|>assistant<|end_header_id|>\n\n' }}
{%- endif %}"""

THINKING = """\
{%- set ns = namespace(last=0) %}
{%- for m in messages %}{%- if m['role'] == 'user' %}{%- set ns.last = loop.index0 %}{%- endif %}
{%- endfor %}
{%- for m in messages %}
{{- '<|im_start|>' + m['role'] + '\n' }}
{%- set content = m['content'] %}
{%- if m['role'] == 'assistant' and '</think>' in content and loop.index0 < ns.last %}
{%- set content = content.split('</think>')[-1].lstrip('\n') %}
{%- endif %}
{{- content + '<|im_end|>\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}{%- endif %}"""
"""As Qwen 3 does: thinking of turns before the last question is taken out."""

EMPTY_THINKING = """\
{%- for m in messages %}
{{- '<|im_start|>' + m['role'] + '\n' }}
{%- if m['role'] == 'assistant' and loop.last %}{{- '<think>\n\n</think>\n\n' }}{%- endif %}
{{- m['content'] + '<|im_end|>\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|im_start|>assistant\n' }}
{%- if enable_thinking is defined and enable_thinking is false %}
{{- '<think>\n\n</think>\n\n' }}
{%- endif %}
{%- endif %}"""
"""As Qwen 3 does without thinking: an empty block before the last reply alone."""

BRACKETS = """\
{{- bos_token }}
{%- for m in messages %}
{%- if m['role'] == 'user' %}{{- '[INST] ' + m['content'] + ' [/INST]' }}
{%- elif m['role'] == 'assistant' %}{{- ' ' + m['content'] + eos_token }}
{%- else %}{{- raise_exception('only user and assistant roles are known') }}
{%- endif %}
{%- endfor %}"""
"""As Mistral does: no system message, a space before each reply, which is part of it."""

TURNS = """\
{{- bos_token }}
{%- for m in messages %}
{%- set role = 'model' if m['role'] == 'assistant' else m['role'] %}
{{- '<start_of_turn>' + role + '\n' + m['content'] | trim + '<end_of_turn>\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<start_of_turn>model\n' }}{%- endif %}"""


@dataclass(frozen=True)
class Family:
    name: str
    template: str
    special: tuple[str, ...]
    end: str
    lead: str = ""
    system: str = "system"
    pattern: str = GPT_PATTERN


CHATML = Family("chatml", SHIPPED, ("<|im_start|>", "<|im_end|>"), "<|im_end|>")
LLAMA = Family(
    "headers",
    HEADERS,
    ("<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
    "<|eot_id|>",
)
QWEN = Family("thinking", THINKING, ("<|im_start|>", "<|im_end|>"), "<|im_end|>")
QUIET = Family("empty-thinking", EMPTY_THINKING, ("<|im_start|>", "<|im_end|>"), "<|im_end|>")
MISTRAL = Family("brackets", BRACKETS, ("<s>", "</s>"), "</s>", lead=" ", system="user")
GEMMA = Family(
    "turns", TURNS, ("<bos>", "<start_of_turn>", "<end_of_turn>"), "<end_of_turn>", pattern=""
)
FAMILIES = (CHATML, LLAMA, QWEN, MISTRAL, GEMMA)
"""Those that keep the past as it was, as long as nobody writes a thinking block."""


@cache
def raw(family: Family, size: int = 700) -> Any:
    """The family's tokenizer, as transformers has it."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.BPE())
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not family.pattern)
    made.pre_tokenizer = byte_level
    if family.pattern:
        split = pre_tokenizers.Split(Regex(family.pattern), "isolated")
        made.pre_tokenizer = pre_tokenizers.Sequence([split, byte_level])
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=list(family.special),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator([path.read_text("utf-8") for path in shipped_worlds()], trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        bos_token=family.special[0],
        eos_token=family.end,
        pad_token=family.end,
        chat_template=family.template,
    )


def chat(family: Family, **arguments: Any) -> ChatTokenizer:
    return ChatTokenizer(raw(family), name=family.name, system=family.system, arguments=arguments)


def saved(family: Family, folder: Path) -> Path:
    """The tokenizer in a folder, as `--tokenizer` takes it."""
    raw(family).save_pretrained(folder)
    return folder
