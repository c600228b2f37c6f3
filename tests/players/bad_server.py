"""A server that answers chat completions badly, in the order it is told to.

It runs in a thread on a free port of the loopback address. Each request takes the next of the
`deeds`; when they are used up it answers well: with the command "look".
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

GOOD = "Thought: I look around.\nAction: look"


def completion(content: Any) -> bytes:
    usage = {"prompt_tokens": 100, "completion_tokens": 10}
    choices = [{"index": 0, "message": {"role": "assistant", "content": content}}]
    return json.dumps({"choices": choices, "usage": usage}).encode()


class Server:
    def __init__(self, deeds: list[str]) -> None:
        self.deeds = list(deeds)
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.at_once = self.most_at_once = 0
        self.lock = threading.Lock()
        self.url = ""


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with server.lock:
                server.bodies.append(body)
                server.keys.append(self.headers.get("authorization"))
                deed = server.deeds.pop(0) if server.deeds else "good"
                server.at_once += 1
                server.most_at_once = max(server.most_at_once, server.at_once)
            try:
                getattr(self, f"_{deed}")()
            except (BrokenPipeError, ConnectionResetError):
                pass
            finally:
                with server.lock:
                    server.at_once -= 1

        def _send(self, status: int, data: bytes, **headers: str) -> None:
            self.send_response(status)
            self.send_header("content-length", str(len(data)))
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(data)

        def _good(self) -> None:
            self._send(200, completion(GOOD))

        def _tokens(self) -> None:
            told = json.loads(completion(GOOD))
            told["prompt_token_ids"] = [5, 6, 7]
            told["choices"][0]["token_ids"] = [1, 2, 3]
            self._send(200, json.dumps(told).encode())

        def _odd_tokens(self) -> None:
            told = json.loads(completion(GOOD))
            told["prompt_token_ids"], told["choices"][0]["token_ids"] = "many", [1, -2, None]
            self._send(200, json.dumps(told).encode())

        def _pause(self) -> None:
            time.sleep(0.15)
            self._good()

        def _error(self) -> None:
            self._send(500, b"it broke")

        def _busy(self) -> None:
            self._send(429, b'{"error": {"message": "too many"}}', retry_after="0.01")

        def _endless(self) -> None:
            self._send(429, b"{}", retry_after="nan")

        def _boastful(self) -> None:
            told = json.loads(completion(GOOD))
            told["usage"] = {"prompt_tokens": 10**30, "completion_tokens": 2**31}
            self._send(200, json.dumps(told).encode())

        def _telling(self) -> None:
            key = self.headers["authorization"].removeprefix("Bearer ")
            self._send(401, json.dumps({"error": {"message": f"{key} is no key"}}).encode())

        def _denied(self) -> None:
            self._send(401, b'{"error": {"message": "wrong key"}}')

        def _long(self) -> None:
            self._send(400, b'{"error": {"message": "maximum context length is 8 tokens"}}')

        def _garbage(self) -> None:
            self._send(200, b"<html>not JSON</html>")

        def _odd(self) -> None:
            self._send(200, b'{"choices": []}')

        def _empty(self) -> None:
            self._send(200, completion(""))

        def _null(self) -> None:
            self._send(200, completion(None))

        def _parts(self) -> None:
            self._send(200, completion([{"type": "text", "text": GOOD}]))

        def _huge(self) -> None:
            self._send(200, completion("x" * 300_000))

        def _enormous(self) -> None:
            self.send_response(200)
            self.send_header("content-length", str(1 << 40))
            self.end_headers()
            for _ in range(400):
                self.wfile.write(b" " * (1 << 16))

        def _silent(self) -> None:
            time.sleep(1.2)

        def _drip(self) -> None:
            self.send_response(200)
            self.send_header("content-length", "1000")
            self.end_headers()
            for _ in range(60):
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.05)

        def _hangup(self) -> None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)

    return Handler


@contextmanager
def serving(*deeds: str) -> Iterator[Server]:
    server = Server(list(deeds))
    http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(server))
    http.daemon_threads = True
    server.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    thread = threading.Thread(
        target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
    )
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
