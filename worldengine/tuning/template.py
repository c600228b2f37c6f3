"""The chat template that ships: ChatML with generation marks and the flag `train`.

In: messages. Out: text whose trained part is marked, so that `return_assistant_tokens_mask`
covers exactly the trained turns, end token included. A message without the flag is trained;
`false` alone masks it (tables unify keys and fill in null).
"""

from __future__ import annotations

BEGIN, END, PAD = "<|im_start|>", "<|im_end|>", "<|pad|>"

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
