"""Compares our endgame tables with python-chess's: random positions of three and four men.

usage: syzygy_compare.py SPARRING TABLES [POSITIONS [SEED]]
Prints the number of positions compared; exits with 1 at the first difference.
"""

import os
import random
import subprocess
import sys

import chess
import chess.syzygy

sparring, folder = sys.argv[1:3]
count = int(sys.argv[3]) if len(sys.argv) > 3 else 20000
seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
rng = random.Random(seed)
names = sorted(name[:-5] for name in os.listdir(folder) if name.endswith(".rtbw"))


def position(name):
    """A legal position of these men with either side to move; now and then with en passant."""
    board = chess.Board(None)
    white, black = name.split("v")
    if rng.random() < 0.5:
        white, black = black, white
    for colour, men in ((chess.WHITE, white), (chess.BLACK, black)):
        for letter in men:
            piece = chess.Piece(chess.Piece.from_symbol(letter).piece_type, colour)
            free = [s for s in chess.SQUARES if board.piece_at(s) is None]
            if letter == "P":
                free = [s for s in free if 0 < chess.square_rank(s) < 7]
            board.set_piece_at(rng.choice(free), piece)
    board.turn = rng.random() < 0.5
    double = [
        s
        for s in board.pieces(chess.PAWN, not board.turn)
        if chess.square_rank(s) == (4 if board.turn else 3)
    ]
    if double and rng.random() < 0.8:
        step = 8 if board.turn else -8
        behind = double[0] + step
        if board.piece_at(behind) is None and board.piece_at(behind + step) is None:
            board.ep_square = behind
    if board.is_valid() and not board.is_game_over():
        return board
    return None


def en_passant_position():
    """Two kings and two pawns, one of which may take the other en passant."""
    board = chess.Board(None)
    board.turn = rng.random() < 0.5
    file = rng.randrange(8)
    beside = file + rng.choice((-1, 1))
    if not 0 <= beside < 8:
        return None
    rank = 4 if board.turn else 3
    board.set_piece_at(chess.square(beside, rank), chess.Piece(chess.PAWN, board.turn))
    board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, not board.turn))
    for colour in chess.COLORS:
        free = [s for s in chess.SQUARES if board.piece_at(s) is None]
        board.set_piece_at(rng.choice(free), chess.Piece(chess.KING, colour))
    board.ep_square = chess.square(file, rank + (1 if board.turn else -1))
    if board.is_valid() and board.has_legal_en_passant() and not board.is_game_over():
        return board
    return None


boards = []
while len(boards) < count:
    if len(boards) % 20 == 0 and "KPvKP" in names:
        board = en_passant_position()
    else:
        board = position(rng.choice(names))
    if board is not None:
        boards.append(board)
fens = [board.fen() for board in boards]
answer = subprocess.run(
    [sparring, "tables", folder, "-"],
    input="\n".join(fens) + "\n",
    capture_output=True,
    text=True,
)
if answer.returncode != 0:
    sys.exit(answer.stderr)
ours = [line.split(" ", 1) for line in answer.stdout.splitlines()]
assert len(ours) == len(fens), (len(ours), len(fens))
differences = en_passant = 0
with chess.syzygy.open_tablebase(folder, load_dtz=False) as tables:
    for board, (wdl, fen) in zip(boards, ours):
        assert fen == board.fen()
        en_passant += board.has_legal_en_passant()
        theirs = tables.probe_wdl(board)
        if int(wdl) != theirs:
            differences += 1
            print(f"{fen}: ours {wdl}, python-chess {theirs}")
print(
    f"{len(boards)} positions of {len(names)} tables, {en_passant} with en passant: "
    f"{differences} differences"
)
sys.exit(differences > 0)
