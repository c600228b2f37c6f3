"""The lines of a grid world: cells as numbers, what is in front, and what the agent sees."""

from __future__ import annotations

from worldengine.generator.families.grid_board import HEADINGS, Board, Piece
from worldengine.generator.words import quoted

NAMES = ("north", "east", "south", "west")


def grid_lines(board: Board, parts: list[str], strict: bool) -> list[str]:
    """Everything but the header and the plan. `parts` are conditions, met one after the other."""
    return [
        *_kinds(board),
        'place floor_room "floor" { describe "Square tiles, and walls where they end." }',
        *(_piece(board, piece) for piece in board.pieces),
        _player(board, len(parts), strict),
        *_actions(board, strict),
        _seeing(board),
        *_parts(parts),
    ]


def _kinds(board: Board) -> list[str]:
    far = max(board.width, board.height)
    ways = " ".join(f"{way} : 0..{far} = 0" for way in ("front", "back", "left", "right"))
    lines = [
        f"kind piece is thing {{ portable = false number : 0..30 = 0 x : 0..{board.width + 1} = 0 "
        f"y : 0..{board.height + 1} = 0 room : 1..{board.rooms} = 1 {ways} }}"
    ]
    if board.doors:
        locked = "barred : bool = false opener : piece? = none" if _locks(board) else ""
        lines.append(f"kind gate is piece {{ open : bool = false {locked} }}")
    return lines


def _locks(board: Board) -> bool:
    return any(door.was_locked for door in board.doors)


def _piece(board: Board, piece: Piece) -> str:
    (x, y), (px, py), heading = piece.start, board.start[0], board.start[1]
    dx, dy = HEADINGS[heading]
    front = (x - px) * dx + (y - py) * dy
    right = (x - px) * -dy + (y - py) * dx
    seen = f"front = {max(0, front)} back = {max(0, -front)} left = {max(0, -right)} right = {max(0, right)}"
    body = f"number = {piece.number} x = {x} y = {y} room = {_room(board, piece)} {seen}"
    text = "Nothing more to be seen from here."
    if piece.door:
        if piece.was_locked:
            key = next(p for p in board.pieces if p.name == f"{piece.name.split()[0]} key")
            body += f" barred = true opener = {key.id}"
        locked = (
            "{if this.barred}It is locked.{else if this.open}It is open.{else}It is closed.{end}"
        )
        text = locked if _locks(board) else "{if this.open}It is open.{else}It is closed.{end}"
    kind = "gate" if piece.door else "piece"
    return (
        f"{kind} {piece.id} {quoted(piece.name)} in floor_room {{ {body} describe {quoted(text)} }}"
    )


def _room(board: Board, piece: Piece) -> int:
    return piece.room if piece.door else board.room_of(piece.start)


def _player(board: Board, parts: int, strict: bool) -> str:
    (x, y), heading = board.start
    fx, fy = x + HEADINGS[heading][0], y + HEADINGS[heading][1]
    facing = next((p.number for p in board.pieces if p.start == (fx, fy)), 0)
    bumps = "bumps : 0..3 = 0" if strict else ""
    return (
        f"player in floor_room {{ x : 1..{board.width} = {x} y : 1..{board.height} = {y} "
        f"heading : {' | '.join(NAMES)} = {NAMES[heading]} fx : 0..{board.width + 1} = {fx} "
        f"fy : 0..{board.height + 1} = {fy} facing_id : 0..30 = {facing} "
        f"room : 1..{board.rooms} = {board.room_of((x, y))} done : 0..{parts} = 0 {bumps} }}"
    )


def _actions(board: Board, strict: bool) -> list[str]:
    wall = ""
    if board.walls:
        columns = ", ".join(map(str, board.walls))
        wall = f" or player.fx in {{{columns}}} and not any(d: gate where d.open and d.number == player.facing_id)"
    thing = (
        "any(p: piece where p.number == player.facing_id and not p is gate)"
        if board.doors
        else "player.facing_id != 0"
    )
    blocked = f"player.fx < 1 or player.fx > {board.width} or player.fy < 1 or player.fy > {board.height}{wall} or {thing}"
    forward = (
        'if blocked { set player.bumps += 1 say "Bump. {3 - player.bumps} to go." } else { set player.x = player.fx set player.y = player.fy say "You step forward." }'
        if strict
        else 'require not blocked else logic "Something is in the way." set player.x = player.fx set player.y = player.fy say "You step forward."'
    )
    left = " ".join(f"{NAMES[i]} {{ set player.heading = {NAMES[i - 1]} }}" for i in range(4))
    right = " ".join(
        f"{NAMES[i]} {{ set player.heading = {NAMES[(i + 1) % 4]} }}" for i in range(4)
    )
    loose = "not p is gate and " if board.doors else ""
    lines = [
        f"derive blocked = {blocked}",
        "derive loaded = any(p: piece where p.in == player)",
        f"""action turn_left {{ form "turn left" form "left" match player.heading {{ {left} }} say "You turn left." }}
        action turn_right {{ form "turn right" form "right" match player.heading {{ {right} }} say "You turn right." }}
        action forward {{ form "(move|go|step) forward" form "forward" {forward} }}
        action pick_up {{ form "pick up" form "pickup"
        require any(p: piece where {loose}p.number == player.facing_id) else place "There is nothing in front of you to pick up."
        require not loaded else logic "You carry something already."
        each p: piece where {loose}p.number == player.facing_id {{ set p.in = player say "You pick up {{the p}}." }} }}
        action drop {{ form "drop" require loaded else place "You carry nothing."
        require player.facing_id == 0 and not blocked else logic "There is no room in front of you."
        each p: piece where p.in == player {{ set p.in = floor_room set p.x = player.fx set p.y = player.fy set p.room = player.room say "You put down {{the p}}." }} }}
        action look_about {{ form "look" form "l" say "You face {{player.heading}}." }}""",
    ]
    if board.doors:
        barred = ""
        if _locks(board):
            barred = (
                "require not any(d: gate where d.number == player.facing_id and d.barred and (d.opener == none or d.opener.in != player)) "
                'else logic "It is locked, and you do not carry its key."'
            )
        unbar = "set d.barred = false" if _locks(board) else ""
        lines.append(
            f"""action toggle {{ form "toggle"
            require any(d: gate where d.number == player.facing_id) else place "There is no door in front of you."
            {barred}
            each d: gate where d.number == player.facing_id {{
            if d.open {{ set d.open = false say "You close {{the d}}." }} else {{ {unbar} set d.open = true say "You open {{the d}}." }} }} }}"""
        )
    return lines


def _seeing(board: Board) -> str:
    """What is in front, and every thing of the room by steps from the agent."""
    heads = " ".join(
        f"{NAMES[i]} {{ set player.fx = player.x + {dx} set player.fy = player.y + {dy} }}".replace(
            "+ -", "- "
        )
        for i, (dx, dy) in enumerate(HEADINGS)
    )
    steps = {
        "+x": "p.x - player.x",
        "-x": "player.x - p.x",
        "+y": "p.y - player.y",
        "-y": "player.y - p.y",
    }
    axes = (
        ("-y", "+y", "-x", "+x"),
        ("+x", "-x", "-y", "+y"),
        ("+y", "-y", "+x", "-x"),
        ("-x", "+x", "+y", "-y"),
    )
    sights = " ".join(
        f"{NAMES[i]} {{ set p.front = {steps[f]} set p.back = {steps[b]} set p.left = {steps[left]} set p.right = {steps[right]} }}"
        for i, (f, b, left, right) in enumerate(axes)
    )
    rooms = " ".join(
        f"if player.x > {wall} {{ set player.room = {number} }}"
        for number, wall in enumerate(board.walls, start=2)
    )
    reset = "set player.room = 1" if board.walls else ""
    shown = "p.room == player.room"
    door = ""
    if board.doors:
        shown += " or p is gate and p.room == player.room - 1"
        door = "{if p is gate and p.open}, open{end}{if p is gate and not p.open}, closed{end}"
    return f"""rule see {{
      match player.heading {{ {heads} }}
      {reset} {rooms}
      set player.facing_id = 0
      each p: piece where p.in != player {{
        if p.x == player.fx and p.y == player.fy {{ set player.facing_id = p.number }}
        match player.heading {{ {sights} }}
        if ({shown}) and (p.x != player.x or p.y != player.y) {{ say "{{A p}}{door}:{{if p.front > 0}} {{p.front}} ahead{{end}}{{if p.back > 0}} {{p.back}} behind{{end}}{{if p.left > 0}} {{p.left}} to the left{{end}}{{if p.right > 0}} {{p.right}} to the right{{end}}." }}
      }}
    }}"""


def _parts(parts: list[str]) -> list[str]:
    lines = [
        f"rule part_{number} {{ when player.done == {number} and {condition} set player.done = {number + 1} }}"
        for number, condition in enumerate(parts)
    ]
    lines += [
        f'milestone part_{number}_done "did part {number} of the mission" when player.done >= {number}'
        for number in range(1, len(parts))
    ]
    if len(parts) == 1:
        lines.append('milestone close "faced something" when player.facing_id != 0')
    return [*lines, f'win when player.done == {len(parts)} say "Mission done."']
