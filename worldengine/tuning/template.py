"""The chat templates that ship: ChatML, and a shorter one, with marks and the flag `train`.

In: messages. Out: text whose trained part is marked, so that `return_assistant_tokens_mask`
covers exactly the trained turns, end token included. A message without the flag is trained;
`false` alone masks it (tables unify keys and fill in null).
"""

from __future__ import annotations

SYSTEM, USER, ASSISTANT = "<|system|>", "<|user|>", "<|assistant|>"
END, PAD = "<|end|>", "<|pad|>"

SHIPPED = (
    "{%- for m in messages %}"
    "{{- '<|im_start|>' + m['role'] + '\\n' }}"
    "{%- if m['role'] == 'assistant' and m.get('train') is not false %}"
    "{%- generation %}{{- m['content'] + '<|im_end|>' }}{%- endgeneration %}"
    "{%- else %}{{- m['content'] + '<|im_end|>' }}"
    "{%- endif %}"
    "{{- '\\n' }}"
    "{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}"
)

COMPACT = (
    "{%- for m in messages %}"
    "{{- '<|' + m['role'] + '|>' }}"
    "{%- if m['role'] == 'assistant' and m.get('train') is not false %}"
    "{%- generation %}{{- m['content'] + '<|end|>' }}{%- endgeneration %}"
    "{%- elif m['role'] == 'assistant' %}{{- m['content'] + '<|end|>' }}"
    "{%- else %}{{- m['content'] }}"
    "{%- endif %}"
    "{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|assistant|>' }}{%- endif %}"
)
"""The template of tokenizers that are trained here: one token a speaker, one for the end of a
reply. A small model spends its time on what is said."""
