"""A language model small enough for tests: a trained tokenizer, random weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from worldengine.resources import shipped_worlds

CHAT = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def tokenizer(size: int = 512) -> Any:
    """Byte-level pairs, trained on the shipped worlds; so every text can be written."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    special = ["<|end|>", "<|system|>", "<|user|>", "<|assistant|>"]
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator([path.read_text("utf-8") for path in shipped_worlds()], trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|end|>", pad_token="<|end|>", chat_template=CHAT
    )


def network(words: int, seed: int = 0, positions: int = 16384) -> Any:
    """Two layers of random weights."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=words, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=positions,
        eos_token_id=0, bos_token_id=None, pad_token_id=0,
    )  # fmt: skip
    return LlamaForCausalLM(config)


def save(folder: Path, seed: int = 0) -> Path:
    """A model in a folder, as `hf:` takes it."""
    words = tokenizer()
    words.save_pretrained(folder)
    network(len(words), seed).save_pretrained(folder)
    return folder
