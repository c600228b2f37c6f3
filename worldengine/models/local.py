"""A transformers model in a folder on this machine.

In: a folder that `save_pretrained` wrote. Out: a `Model`. Requests are answered in batches;
what one answers depends on its own messages and seed, not on who shares the batch. Sampling
is the Gumbel way: noise from the request's own generator is added to the logits and the
highest wins, which draws from the softmax exactly. Only safetensors are read, and no code
that comes with a model is run. Refused: folders without a model or a tokenizer.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from worldengine.models.constraint import Follower, Vocabulary
from worldengine.models.protocol import Answer, Ended, Model, ModelError, Request


def load(
    path: str,
    *,
    device: str = "",
    dtype: str = "auto",
    width: int = 8,
    price: tuple[float, float] | None = None,
) -> Model:
    """The model in folder `path`. `device` "" means the GPU where there is one."""
    if not Path(path).is_dir():
        raise ModelError(f"hf:{path}: there is no folder of that name")
    import torch
    import transformers

    if not sys.stderr.isatty():
        transformers.utils.logging.disable_progress_bar()
    chosen = device or ("cuda" if torch.cuda.is_available() else "cpu")
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(path, local_files_only=True)
        network = transformers.AutoModelForCausalLM.from_pretrained(
            path, local_files_only=True, use_safetensors=True, trust_remote_code=False, dtype=dtype
        )
    except (OSError, ValueError) as error:
        reason = str(error).strip().split("\n")[0]
        raise ModelError(f"hf:{path} cannot be loaded: {reason}") from None
    return Local(f"hf:{path}", tokenizer, network.to(chosen).eval(), width, price)


class Local:
    """See the module. `network` is a causal model of transformers."""

    def __init__(
        self,
        name: str,
        tokenizer: Any,
        network: Any,
        width: int = 8,
        price: tuple[float, float] | None = None,
    ) -> None:
        self.name, self.width, self.price = name, width, price
        self.tokenizer, self.network = tokenizer, network
        self._vocabulary: Vocabulary | None = None
        self._end = _ending(tokenizer, network)

    def unconstrained(self) -> str:
        try:
            import llguidance  # noqa: F401
        except ModuleNotFoundError:
            return (
                "llguidance is not installed; pip install 'worldengine-machine[llm]', or in a"
                " checkout .venv/bin/pip install -c constraints.txt -e '.[llm]'"
            )
        return ""

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        prompts = [self._prompt(request) for request in requests]
        answers = [self._no_room(*pair) for pair in zip(requests, prompts, strict=True)]
        room = [index for index, answer in enumerate(answers) if answer is None]
        for start in range(0, len(room), self.width):
            batch = room[start : start + self.width]
            found = self._batch([requests[i] for i in batch], [prompts[i] for i in batch])
            for index, answer in zip(batch, found, strict=True):
                answers[index] = answer
        return [answer for answer in answers if answer is not None]

    def _no_room(self, request: Request, prompt: list[int]) -> Answer | None:
        """The failure of a request that the model cannot hold."""
        limit = getattr(self.network.config, "max_position_embeddings", None)
        if limit is None or len(prompt) + request.max_tokens <= limit:
            return None
        return Answer(
            "",
            "failed",
            len(prompt),
            failure=f"the model holds {limit} tokens; the prompt has {len(prompt)} and the "
            f"answer may have {request.max_tokens}",
        )

    def _batch(self, requests: Sequence[Request], prompts: Sequence[list[int]]) -> list[Answer]:
        import torch

        began = time.monotonic()
        padded, mask = self._padded(prompts)
        follow = not self.unconstrained()
        rows = [Row(request, self._follower(request) if follow else None) for request in requests]
        steering = _Steering(rows, padded.shape[1], self._end)
        with torch.inference_mode():
            out = self.network.generate(
                padded,
                attention_mask=mask,
                do_sample=False,
                max_new_tokens=max(row.request.max_tokens for row in rows) + 1,
                logits_processor=[steering],
                stopping_criteria=[_Said(rows, padded.shape[1], self.tokenizer)],
                eos_token_id=self._end,
                pad_token_id=self._end,
                use_cache=True,
                **_GREEDY,
            )
        seconds = time.monotonic() - began
        return [
            self._answer(row, out[index, padded.shape[1] :].tolist(), len(prompts[index]), seconds)
            for index, row in enumerate(rows)
        ]

    def _prompt(self, request: Request) -> list[int]:
        messages = [{"role": m.role, "content": m.content} for m in request.messages]
        if self.tokenizer.chat_template is None:
            text = "\n\n".join(message["content"] for message in messages) + "\n\n"
            return list(self.tokenizer(text)["input_ids"]) or [self._end]
        found = self.tokenizer.apply_chat_template(
            messages, add_generation_prompt=True, return_dict=True
        )
        return list(found["input_ids"])

    def _padded(self, prompts: Sequence[list[int]]) -> tuple[Any, Any]:
        """(batch, longest) ids and mask, padded on the left."""
        import torch

        longest = max(map(len, prompts))
        ids = torch.full((len(prompts), longest), self._end, dtype=torch.long)
        mask = torch.zeros_like(ids)
        for row, prompt in enumerate(prompts):
            ids[row, longest - len(prompt) :] = torch.tensor(prompt)
            mask[row, longest - len(prompt) :] = 1
        return ids.to(self.network.device), mask.to(self.network.device)

    def _follower(self, request: Request) -> Follower | None:
        if request.grammar is None:
            return None
        if self._vocabulary is None:
            size = self.network.get_output_embeddings().weight.shape[0]
            self._vocabulary = Vocabulary(self.tokenizer, size)
        return self._vocabulary.follow(request.grammar)

    def _answer(self, row: Row, ids: list[int], asked: int, seconds: float) -> Answer:
        said = ids[: ids.index(self._end)] if self._end in ids else ids
        said = said[: row.request.max_tokens]
        text = self.tokenizer.decode(said, skip_special_tokens=True)
        text, cut = _until(text, row.request.stop)
        ended: Ended = "stop" if cut or not row.short else "length"
        constrained = row.follower is not None
        return Answer(text, ended, asked, len(said), seconds, constrained)


_GREEDY = {"temperature": None, "top_p": None, "top_k": None}
"""What a model's own settings may say of sampling; here the noise does it."""


def _ending(tokenizer: Any, network: Any) -> int:
    """The token that ends an answer."""
    found = tokenizer.eos_token_id
    if found is None:
        found = getattr(network.generation_config, "eos_token_id", None)
    if isinstance(found, list):
        found = found[0]
    if found is None:
        raise ModelError("this model has no token that ends an answer (eos_token)")
    return int(found)


def _until(text: str, stops: tuple[str, ...]) -> tuple[str, bool]:
    """`text` up to the first of `stops`, and whether there was one."""
    found = [at for at in (text.find(stop) for stop in stops) if at >= 0]
    return (text[: min(found)], True) if found else (text, False)


class Row:
    """One request while it is answered. `short`: the tokens ran out before it was done."""

    def __init__(self, request: Request, follower: Follower | None) -> None:
        import torch

        self.request, self.follower = request, follower
        self.random = torch.Generator().manual_seed(request.seed)
        self.ended = False
        self.short = False


class _Steering:
    """A logits processor: grammar, nucleus, noise and length, each row by its own request."""

    def __init__(self, rows: Sequence[Row], prompt: int, end: int) -> None:
        self._rows, self._prompt, self._end = rows, prompt, end

    def __call__(self, ids: Any, scores: Any) -> Any:
        step = ids.shape[1] - self._prompt
        for index, row in enumerate(self._rows):
            if step and not row.ended:
                self._note(row, int(ids[index, -1]))
            scores[index] = self._steer(row, scores[index], step)
        return scores

    def _note(self, row: Row, token: int) -> None:
        if token == self._end:
            row.ended = True
        elif row.follower is not None:
            row.follower.take(token)

    def _steer(self, row: Row, scores: Any, step: int) -> Any:
        import torch

        out_of_room = step >= row.request.max_tokens
        stopped = row.follower is not None and row.follower.stopped
        if row.ended or out_of_room or stopped:
            row.short = row.short or (out_of_room and not row.ended and not stopped)
            row.ended = True
            forced = torch.full_like(scores, float("-inf"))
            forced[self._end] = 0.0
            return forced
        if row.follower is not None:
            allowed = torch.from_numpy(row.follower.allowed()).to(scores.device)
            scores = scores.masked_fill(~allowed, float("-inf"))
        if row.request.temperature <= 0:
            return scores
        scores = _nucleus(scores.float() / row.request.temperature, row.request.top_p)
        noise = torch.rand(scores.shape, generator=row.random).clamp_min(1e-20)
        return scores - torch.log(-torch.log(noise)).to(scores.device)


def _nucleus(scores: Any, top_p: float) -> Any:
    """The likeliest tokens that together have probability `top_p`; the others are shut out."""
    import torch

    if top_p >= 1:
        return scores
    ordered, places = torch.sort(scores, descending=True)
    before = torch.softmax(ordered, -1).cumsum(-1).roll(1)
    before[0] = 0.0
    return scores.index_fill(-1, places[before > top_p], float("-inf"))


class _Said:
    """Stops a row as soon as it has said one of its stop texts."""

    def __init__(self, rows: Sequence[Row], prompt: int, tokenizer: Any) -> None:
        self._rows, self._prompt, self._tokenizer = rows, prompt, tokenizer

    def __call__(self, ids: Any, scores: Any, **unused: Any) -> Any:
        import torch

        done = torch.zeros(ids.shape[0], dtype=torch.bool, device=ids.device)
        for index, row in enumerate(self._rows):
            if row.request.stop:
                text = self._tokenizer.decode(ids[index, self._prompt :].tolist())
                done[index] = _until(text, row.request.stop)[1]
        return done
