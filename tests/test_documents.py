"""Files of settings by people who mean harm, or whose editor does: one sentence each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from worldengine.cli import main
from worldengine.documents import DEEPEST, DocumentError, json_of, toml

HOSTILE: dict[str, tuple[bytes, str]] = {
    "brackets": (b"a = " + b"[" * 5_000 + b"]" * 5_000, "nested"),
    "tables": (b"a = " + b"{b = " * 5_000 + b"1" + b"}" * 5_000, "nested"),
    "dots": (b"a." * 20_000 + b"a = 1", "nested"),
    "header": (b"[" + b"a." * 20_000 + b"a]", "nested"),
    "quoted dots": (b'"a".' * 20_000 + b"a = 1", "nested"),
    "behind a string": (b'x = "#"\na = ' + b"[" * 5_000, "nested"),
    "number": (b"a = " + b"1" * 5_000, "number that is too long"),
    "hexadecimal": (b"[b]\na = [0x" + b"f" * 5_000 + b"]", "`b.a`: the number is too large"),
    "size": (b"#" * (1 << 20) + b"#", "larger than"),
    "nul": (b"a = \0", "not TOML"),
    "other letters": (b"a = '\xff'", "not UTF-8 text .byte 6."),
    "quotes without end": (b'\\"""\n' * 200_000, "not TOML"),
    "escapes without end": (b'"\\' * 500_000, "not TOML"),
    "apostrophes without end": (b"x '''\n\"\n" * 100_000, "not TOML"),
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_toml_is_told_in_a_sentence(name: str, tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    data, says = HOSTILE[name]
    file.write_bytes(data)
    with pytest.raises(DocumentError, match=says) as caught:
        toml(file)
    assert str(file) in str(caught.value) and "\n" not in str(caught.value)


def test_plain_toml_is_read_with_a_mark_in_front(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    deep = "[" * DEEPEST + "]" * DEEPEST
    dots, marks = "." * 100, "[" * 100
    text = f"""a = "{dots}{marks}\\"" # {dots}{marks}
b = '{dots}{marks}"'
c = \"\"\"{marks}\n\\\"\"\"{dots}\"\"\"\"
d = '''{dots}\n{marks}''''
e = {deep}
f = [{", ".join(["1.5"] * 200)}]
[g.h]
i.j = 9223372036854775807
"""
    file.write_text(text, encoding="utf-8-sig")
    found = toml(file)
    assert found["a"] == dots + marks + '"' and found["d"].endswith(marks + "'")
    assert found["f"] == [1.5] * 200 and found["g"]["h"]["i"]["j"] == 2**63 - 1


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a": 1', "is not JSON: "),
        (b'{"a": ' + b"1" * 5_000 + b"}", "is not JSON"),
        (b"\xff", "not UTF-8"),
        (b" " * 2_000 + b"1", "larger than 2,000 bytes"),
    ],
)
def test_hostile_json_is_told_in_a_sentence(data: bytes, says: str, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(data)
    limit = 2_000 if data.startswith(b" ") else 1 << 20
    with pytest.raises(DocumentError, match=says):
        json_of(file, limit)
    file.write_text(json.dumps({"a": "b"}), encoding="utf-8-sig")
    assert json_of(file) == {"a": "b"}


@pytest.mark.parametrize("command", ["train", "experiment"])
@pytest.mark.parametrize("name", ["brackets", "dots", "number", "other letters"])
def test_commands_take_no_harm(
    command: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.toml"
    file.write_bytes(HOSTILE[name][0])
    assert main([command, str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_deep_table_of_words_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.json"
    file.write_text("[" * 200_000)
    assert main(["perturb", "tide_clock", "--table", str(file)]) == 2
    assert "nested too deeply" in capsys.readouterr().err
