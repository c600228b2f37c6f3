"""Addresses of servers, looked at before anything is sent.

In: an address as it was typed. Out: what is wrong with it, in words, "" if nothing is.
"""

from __future__ import annotations

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
