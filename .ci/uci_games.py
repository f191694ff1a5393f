#!/usr/bin/env python3
"""Our engine under a client that is not ours: python-chess plays it against Stockfish with clocks.

    uci_games.py SPARRING [GAMES] [BASE_MS] [INCREMENT_MS]

Ends with an error at the first breach of the protocol, illegal move or loss on time by our side.
"""
import asyncio
import logging
import os
import shutil
import sys
import time

import chess
import chess.engine


class Complaints(logging.Handler):
    """python-chess reports what it does not understand as warnings."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []

    def emit(self, record):
        self.texts.append(record.getMessage())


def stockfish():
    path = shutil.which("stockfish", path=os.environ.get("PATH", "") + ":/usr/games")
    if path is None:
        sys.exit("stockfish is not installed")
    return path


async def play(ours, theirs, we_are_white, base, increment, game):
    board = chess.Board()
    clocks = {chess.WHITE: base, chess.BLACK: base}
    slowest = 0.0
    while not board.is_game_over(claim_draw=True):
        ours_to_move = (board.turn == chess.WHITE) == we_are_white
        engine = ours if ours_to_move else theirs
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE],
            black_clock=clocks[chess.BLACK],
            white_inc=increment,
            black_inc=increment,
        )
        began = time.perf_counter()
        answer = await engine.play(board, limit, game=game, info=chess.engine.INFO_ALL)
        spent = time.perf_counter() - began
        clocks[board.turn] -= spent
        if clocks[board.turn] < 0:
            return ("lost" if ours_to_move else "won") + " on time", slowest
        if ours_to_move:
            slowest = max(slowest, spent)
            assert answer.move is not None, "no move"
        clocks[board.turn] += increment
        board.push(answer.move)
    result = board.result(claim_draw=True)
    if result == "1/2-1/2":
        return "drawn", slowest
    return "won" if (result == "1-0") == we_are_white else "lost", slowest


async def main():
    program = sys.argv[1]
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    base = float(sys.argv[3] if len(sys.argv) > 3 else 100) / 1000
    increment = float(sys.argv[4] if len(sys.argv) > 4 else 10) / 1000
    complaints = Complaints()
    logging.getLogger("chess.engine").addHandler(complaints)
    _, ours = await chess.engine.popen_uci([program, "uci"])
    _, theirs = await chess.engine.popen_uci(stockfish())
    await theirs.configure({"Skill Level": 0})
    counts, slowest = {}, 0.0
    for game in range(games):
        end, slow = await play(ours, theirs, game % 2 == 0, base, increment, game)
        counts[end] = counts.get(end, 0) + 1
        slowest = max(slowest, slow)
    await ours.quit()
    await theirs.quit()
    print(f"{games} games at {base * 1000:.0f} ms + {increment * 1000:.0f} ms: {counts},"
          f" our slowest move {slowest * 1000:.0f} ms, complaints: {complaints.texts}")
    if complaints.texts or counts.get("lost on time"):
        sys.exit(1)


asyncio.run(main())
