#!/usr/bin/env python3
"""Runs the code of docs/python.md in the folders of three runs: timed players, a sweep, a tuning run.

    python_page.py SPARRING
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TIMED = """game = "checkers"
[match]
pairs = 3
[log]
[[player]]
name = "timed"
evaluator = "basic"
movetime = "1ms"
[[player]]
name = "two"
evaluator = "basic"
depth = 2
"""

SWEPT = """game = "chess"
[match]
pairs = 2
[[player]]
name = "swept"
evaluator = "four-factor"
sweep = { "depth" = [1, 2], "weights.mobility" = [0, 5] }
"""

TUNED = """game = "checkers"
[openings]
plies = 6
[[player]]
name = "basic"
evaluator = "basic"
depth = 1
[tune]
method = "spsa"
parameters = ["weights.king"]
budget = 64
validate = false
"""


def main():
    sparring = os.path.abspath(sys.argv[1])
    page = Path(__file__).resolve().parent.parent / "docs" / "python.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), flags=re.S)
    assert len(blocks) >= 7, f"{len(blocks)} blocks"
    for command, config in [("run", TIMED), ("run", SWEPT), ("tune", TUNED)]:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            Path("page.toml").write_text(config)
            arguments = [sparring, command, "page.toml", "--out", "run", "--quiet"]
            subprocess.run(arguments, check=True, capture_output=True)
            code = "".join(blocks)
            if command == "tune":
                # A tuning run has no games: only its own tables.
                code = "import pandas as pd\nfrom pathlib import Path\nrun = Path('run')\n" + blocks[-1]
                assert Path("run/trajectory.csv").exists()
            exec(compile(code, str(page), "exec"), {})
            os.chdir("/")
    print(f"docs/python.md: {len(blocks)} blocks of code run with pandas")


main()
