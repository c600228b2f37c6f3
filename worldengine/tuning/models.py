"""Models and tokenizers: loaded from a folder, or new.

In: a configuration, the training files. Out: a tokenizer whose template marks trained turns,
and a model that knows every token of it. Refused, before any training: folders that hold no
model, weights that are not safetensors, contexts shorter than the rows may be, LoRA targets
that the model does not have, devices that are not there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from worldengine.tuning.config import Lora, Scratch, TrainConfig
from worldengine.tuning.errors import TuningError
from worldengine.tuning.rows import check_template, lines, texts
from worldengine.tuning.template import ASSISTANT, COMPACT, END, PAD, SHIPPED, SYSTEM, USER


def device_of(name: str) -> torch.device:
    """The device called so; "auto" is a GPU where there is one."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        told = str(error).split("\n")[0]
        raise TuningError(f"the device {name!r} cannot be used: {told}") from None
    return device


def tokenizer_of(config: TrainConfig, marks: bool = True) -> Any:
    """The tokenizer that the configuration asks for. With `marks` its template is checked
    where text is to be tokenised."""
    from transformers import AutoTokenizer

    section = config.tokenizer
    folder = section.path or config.model.path
    if folder is None:
        tokenizer = trained_tokenizer(config.data.train, section.vocabulary)
    else:
        _is_folder(folder, "tokenizer")
        try:
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        except (OSError, ValueError) as error:
            raise TuningError(f"{folder} holds no tokenizer: {_first_line(error)}") from None
    if section.template == "shipped":
        tokenizer.chat_template = SHIPPED
    elif section.template != "own":
        path = Path(section.template)
        if not path.is_file():
            raise TuningError(
                f'tokenizer.template is "own", "shipped" or a file; there is no {path}'
            )
        tokenizer.chat_template = path.read_text(encoding="utf-8")
    if marks:
        _, first = next(lines(config.data.train), ("", {"input_ids": []}))
        if "messages" in first:
            check_template(tokenizer)
    if tokenizer.eos_token_id is None:
        raise TuningError("the tokenizer has no end token (eos_token)")
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def trained_tokenizer(files: tuple[str, ...], vocabulary: int) -> Any:
    """A byte-level BPE tokenizer made from what the rows say. The same rows give the same
    tokenizer; any text at all can be written in it."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[PAD, SYSTEM, USER, ASSISTANT, END],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    inner.train_from_iterator(texts(files), trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner,
        pad_token=PAD,
        eos_token=END,
        additional_special_tokens=[SYSTEM, USER, ASSISTANT],
        clean_up_tokenization_spaces=False,
    )
    tokenizer.chat_template = COMPACT
    return tokenizer


def model_of(config: TrainConfig, tokenizer: Any, device: torch.device) -> Any:
    """The model to train, on its device. New weights follow from the seed alone."""
    dtype = getattr(torch, config.model.dtype)
    if config.model.scratch is not None:
        torch.manual_seed(config.seed)
        model = _scratch(config.model.scratch, config.data.max_length, tokenizer).to(dtype)
    else:
        assert config.model.path is not None
        model = _loaded(config.model.path, dtype)
    _check_context(model, config)
    if len(tokenizer) > model.get_input_embeddings().weight.shape[0]:
        model.resize_token_embeddings(len(tokenizer))
    model.config.pad_token_id = tokenizer.pad_token_id
    model.config.eos_token_id = tokenizer.eos_token_id
    if model.generation_config is not None:
        model.generation_config.pad_token_id = tokenizer.pad_token_id
        model.generation_config.eos_token_id = tokenizer.eos_token_id
    if config.lora is not None:
        model = _adapted(model, config.lora, config.seed)
    if config.gradient_checkpointing:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    return model.to(device)


def _scratch(section: Scratch, max_length: int, tokenizer: Any) -> Any:
    from transformers import AutoConfig, AutoModelForCausalLM

    if section.hidden % section.heads:
        raise TuningError(
            f"model.scratch: hidden ({section.hidden}) is no multiple of heads ({section.heads})"
        )
    entries: dict[str, Any] = {
        "vocab_size": len(tokenizer),
        "hidden_size": section.hidden,
        "num_hidden_layers": section.layers,
        "num_attention_heads": section.heads,
        "num_key_value_heads": section.key_value_heads or section.heads,
        "intermediate_size": section.intermediate or 4 * section.hidden,
        "max_position_embeddings": max_length,
        "tie_word_embeddings": section.tied,
        "head_dim": section.hidden // section.heads,
        "bos_token_id": None,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
        **section.settings,
    }
    try:
        settings = AutoConfig.for_model(section.architecture, **entries)
        return AutoModelForCausalLM.from_config(settings)
    except (ValueError, TypeError, KeyError) as error:
        raise TuningError(
            f"model.scratch: transformers makes no {section.architecture!r} of this: "
            f"{_first_line(error)}"
        ) from None


def _loaded(folder: str, dtype: torch.dtype) -> Any:
    from transformers import AutoModelForCausalLM

    _is_folder(folder, "model")
    try:
        return AutoModelForCausalLM.from_pretrained(
            folder, dtype=dtype, local_files_only=True, use_safetensors=True
        )
    except (OSError, ValueError) as error:
        raise TuningError(f"{folder} holds no model to load: {_first_line(error)}") from None


def _check_context(model: Any, config: TrainConfig) -> None:
    most = getattr(model.config, "max_position_embeddings", None)
    if isinstance(most, int) and most < config.data.max_length:
        raise TuningError(
            f"data.max_length is {config.data.max_length} and the model's context ends at {most}"
        )


def _adapted(model: Any, section: Lora, seed: int) -> Any:
    from peft import LoraConfig, get_peft_model

    torch.manual_seed(seed)
    targets = section.targets if isinstance(section.targets, str) else list(section.targets)
    settings = LoraConfig(
        r=section.rank,
        lora_alpha=section.alpha,
        lora_dropout=section.dropout,
        target_modules=targets,
        task_type="CAUSAL_LM",
    )
    # Under gradient checkpointing something has to want a gradient at the entrance.
    model.enable_input_require_grads()
    try:
        return get_peft_model(model, settings)
    except ValueError as error:
        raise TuningError(f"lora.targets: {_first_line(error)}") from None


def _is_folder(name: str, what: str) -> None:
    if not Path(name).is_dir():
        raise TuningError(
            f"there is no folder {name} to load a {what} from; models are read from disk only"
        )


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n")[0][:300]
