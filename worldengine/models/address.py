"""Addresses of servers, and the keys to them, looked at before anything is sent.

In: an address as it was typed, the name of a variable with a key. Out: the key, and what is wrong
with either, in words, "" if nothing is. No key is ever told, nor a part of one.
"""

from __future__ import annotations

import os
from urllib.parse import urlsplit


def wrong(url: str) -> str:
    """What keeps `url` from being a server's address."""
    said = f"{url!r} is no address of a server"
    if not url.startswith(("http://", "https://")):
        return f"{said}; it begins with http:// or https://"
    if not url.isprintable() or " " in url:
        return f"{said}: there is a blank or a control character in it"
    try:
        parts = urlsplit(url)
    except ValueError as error:
        return f"{said}: {error}"
    if not parts.hostname:
        return f"{said}: it names no host, as http://127.0.0.1:8000/v1 does"
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port == 0:
        return f"{said}: its port is a number from 1 to 65535"
    return ""


def key_in(variable: str) -> tuple[str, str]:
    """The key that a variable of the environment holds, "" if none, and what keeps it from being
    one. A line end after it, as files have, is no part of it. A library that is handed a key which
    cannot be sent says it in its complaint."""
    key = os.environ.get(variable, "").strip()
    if key.isascii() and key.isprintable() and " " not in key:
        return key, ""
    return "", (
        f"{variable} holds no key that could be sent: there is a blank, a line end or a character "
        "that is not ASCII in it"
    )
