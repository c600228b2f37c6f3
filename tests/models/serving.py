"""A small OpenAI-compatible server around a local model, for tests: one process, real HTTP.

`grammar` says how it takes a grammar: the name of a dialect, `ignored` or `refused`.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from worldengine.models.protocol import Message, Model, Request
from worldengine.models.server import DIALECTS

KNOWN = {"model", "messages", "max_tokens", "temperature", "top_p", "seed", "stop"}


@contextmanager
def served(model: Model, grammar: str = "structured_outputs") -> Iterator[str]:
    """The address of `small` on a loopback port."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *words: object) -> None:
            """Silence."""

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            surplus = set(body) - KNOWN
            if surplus and grammar == "refused":
                return self._send(422, {"error": {"message": f"unknown field {sorted(surplus)}"}})
            if body["model"] != "small":
                return self._send(404, {"error": {"message": f"no model {body['model']}"}})
            with lock:
                (answer,) = model.answer([_request(body, grammar)])
            message = {"role": "assistant", "content": answer.text}
            choice = {"index": 0, "message": message, "finish_reason": answer.ended}
            usage = {
                "prompt_tokens": answer.prompt_tokens,
                "completion_tokens": answer.completion_tokens,
                "total_tokens": answer.prompt_tokens + answer.completion_tokens,
            }
            return self._send(
                200,
                {"id": "x", "object": "chat.completion", "created": 0, "model": "small",
                 "choices": [choice], "usage": usage},
            )  # fmt: skip

        def _send(self, status: int, value: object) -> None:
            data = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"small@http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _request(body: dict[str, Any], grammar: str) -> Request:
    found: Any = None
    for dialect in DIALECTS:
        if dialect.name == grammar:
            found = body
            for key in dialect.path:
                found = found.get(key) if isinstance(found, dict) else None
            found = found.removeprefix(dialect.head) if isinstance(found, str) else None
    return Request(
        tuple(Message(m["role"], m["content"]) for m in body["messages"]),
        body["max_tokens"],
        body.get("temperature") or 0.0,
        body.get("top_p") or 1.0,
        body.get("seed") or 0,
        tuple(body.get("stop") or ()),
        found,
    )
