"""Makes quantised.bin and bullet.csv: a small net for chess in the layout of bullet's quantised nets, and its
scores of some positions, computed with NumPy in exact integers. Independent of Sparring: only the published layout
and the quantised inference are used. Run in this directory: python3 make.py
With a file as argument, prints the tensors and metadata that the `safetensors` package finds in it."""

import csv
import sys

import numpy as np

HIDDEN, QA, QB, SCALE = 8, 255, 64, 400

FENS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "4k3/8/8/8/8/8/8/Q3K3 b - - 0 1",
    "8/8/4k3/8/2p5/8/1P6/4K3 b - - 3 40",
]


def features(fen):
    """Indices of both views: the mover's, then the opponent's."""
    board, turn = fen.split()[:2]
    views = ([], [])
    for row, line in enumerate(board.split("/")):
        file = 0
        for letter in line:
            if letter.isdigit():
                file += int(letter)
                continue
            square = (7 - row) * 8 + file
            file += 1
            kind = "pnbrqk".index(letter.lower())
            white = letter.isupper()
            of_mover = white == (turn == "w")
            for view, own in enumerate((of_mover, not of_mover)):
                viewer_is_white = (turn == "w") == (view == 0)
                seen = square if viewer_is_white else square ^ 56
                views[view].append((0 if own else 384) + 64 * kind + seen)
    return views


def main():
    draws = np.random.Generator(np.random.PCG64(20))
    l0w = draws.integers(-200, 201, (768, HIDDEN))
    l0b = draws.integers(-100, 101, HIDDEN)
    l1w = draws.integers(-127, 128, 2 * HIDDEN)
    l1b = draws.integers(-3000, 3001, 1)
    data = np.concatenate([l0w.ravel(), l0b, l1w, l1b]).astype("<i2").tobytes()
    data += (b"bullet" * 11)[: -len(data) % 64]
    open("quantised.bin", "wb").write(data)
    with open("bullet.csv", "w", newline="") as file:
        print("# NumPy, see make.py: hundredths of a centipawn from the mover's side, rounded towards zero", file=file)
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["fen", "score"])
        for fen in FENS:
            sums = [l0b + l0w[view].sum(axis=0) for view in features(fen)]
            active = np.concatenate([np.clip(s, 0, QA) ** 2 for s in sums])
            total = int(active @ l1w) + int(l1b[0]) * QA
            score = abs(total) * SCALE * 100 // (QA * QA * QB)
            out.writerow([fen, score if total >= 0 else -score])


if len(sys.argv) > 1:
    from safetensors import safe_open

    with safe_open(sys.argv[1], framework="numpy") as file:
        print(file.metadata())
        for name in file.keys():
            tensor = file.get_tensor(name)
            print(name, tensor.dtype, tensor.shape, int(tensor.astype(np.int64).sum()))
else:
    main()
