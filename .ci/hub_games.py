#!/usr/bin/env python3
"""Our Hub engine under a client that is not ours: pydraughts plays it against random movers.

    hub_games.py SPARRING [GAMES] [VARIANT]

Ends with an error at the first breach of the protocol or illegal move by our side. The rules are those of
pydraughts.
"""
import logging
import random
import sys

import draughts
import draughts.engine


class Complaints(logging.Handler):
    """pydraughts reports what it does not understand as warnings."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []

    def emit(self, record):
        self.texts.append(record.getMessage())


LIMITS = [
    draughts.engine.Limit(depth=6),
    draughts.engine.Limit(nodes=3000),
    draughts.engine.Limit(movetime=0.02),
    draughts.engine.Limit(time=2.0, inc=0.02),
]


def hub_moves(board):
    """The legal moves in the notation of Hub, captured squares in ascending order."""
    moves = set()
    for move in board.legal_moves():
        parts = move.hub_move.split("x")
        moves.add("x".join(parts[:2] + sorted(parts[2:], key=int)))
    return moves


def play(engine, we_are_white, limit, variant):
    board = draughts.Board(variant=variant)
    plies = 0
    while not board.is_over():
        if (board.turn == draughts.WHITE) == we_are_white:
            answer = engine.play(board, limit, False)
            parts = answer.move.hub_move.split("x")
            normal = "x".join(parts[:2] + sorted(parts[2:], key=int))
            assert normal in hub_moves(board), f"{normal} is not legal in {board.fen}"
            assert {"depth", "score", "nodes", "time", "nps", "pv"} <= set(answer.info), answer.info
            board.push(answer.move)
        else:
            board.push(random.choice(board.legal_moves()))
        plies += 1
    winner = board.winner()
    if winner == 0 or winner is None:
        return "drawn", plies
    return ("won" if (winner == draughts.WHITE) == we_are_white else "lost"), plies


def main():
    complaints = Complaints()
    logging.getLogger("pydraughts").addHandler(complaints)
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    variant = sys.argv[3] if len(sys.argv) > 3 else "standard"
    random.seed(1)
    engine = draughts.engine.HubEngine([sys.argv[1], "hub"] + sys.argv[4:])
    engine.setoption("variant", "frisian" if variant == "frisian" else "normal")
    engine.init()
    engine.ping()
    lost = 0
    for number in range(games):
        limit = LIMITS[number % len(LIMITS)]
        result, plies = play(engine, number % 2 == 0, limit, variant)
        lost += result == "lost"
        print(f"game {number + 1}: {result} after {plies} plies, {vars(limit)}", flush=True)
    engine.quit()
    engine.kill_process()
    assert not complaints.texts, complaints.texts
    assert lost == 0, f"{lost} games lost against random moves"
    print(f"{games} games of {variant} under pydraughts {draughts.__version__}: every move was legal")


main()
