"""What the scripts beside this file share: scenes by name, runs of them by the program, tables."""

import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
TASKS = ["forces", "solve", "detect_self", "detect_body", "resolve", "other"]


class Trouble(Exception):
    """One message for the user, who can do something about it."""


def sized_drape(side):
    return ("drape-sphere", [f"cloth.sheet.mesh.resolution={side}"])


SCENES = {
    # name: (scene, --set arguments)
    "two-corner-sheet": ("two-corner-sheet", []),
    "drape-51": sized_drape(51),
    "drape-101": sized_drape(101),
    "drape-201": sized_drape(201),
    "drape-401": sized_drape(401),
    "drape-1001": sized_drape(1001),
    "sheet-stack": ("sheet-stack", []),
    "dress-twirl": ("dress-twirl", []),
}


def choose(names, known):
    """Names with commas between them, each of which must be known."""
    chosen = names.split(",")
    for name in chosen:
        if name not in known:
            raise Trouble(f"unknown scene '{name}': one of {', '.join(known)}")
    return chosen


def count(text, what):
    if not text.isdecimal() or int(text) < 1:
        raise Trouble(f"{what}: a whole number of at least 1 is wanted, not '{text}'")
    return int(text)


def choose_frames(text, defaults):
    """Frames of each scene: the defaults, or N for all, or NAME=N,... for some."""
    frames = dict(defaults)
    for part in text.split(",") if text else []:
        name, given, number = part.rpartition("=")
        if given and name not in frames:
            raise Trouble(f"--frames: unknown scene '{name}': one of {', '.join(frames)}")
        for scene in [name] if given else frames:
            frames[scene] = count(number, "--frames")
    return frames


def run(program, folder, scene, changes, frames, threads=None):
    """The report and the lines of stats.jsonl of a run in `folder`."""
    command = [str(program), "run", scene, "--quiet", "-o", str(folder), "--frames", str(frames)]
    if threads:
        command += ["--threads", str(threads)]
    for change in changes:
        command += ["--set", change]
    try:
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    except OSError as error:
        raise Trouble(f"{program} cannot be run: {error.strerror}")
    if done.returncode != 0:
        how = f"exit code {done.returncode}" if done.returncode > 0 else f"ended by signal {-done.returncode}"
        raise Trouble(f"{' '.join(command)}: {how}\n{done.stderr.strip()}".rstrip())
    folder = pathlib.Path(folder)
    report = json.loads((folder / "report.json").read_text())
    return report, [json.loads(line) for line in (folder / "stats.jsonl").read_text().splitlines()]


def milliseconds(stats):
    """A frame's, in all and by task, as the mean of frames."""
    mean = lambda task: 1e3 * sum(s["seconds"][task] for s in stats) / len(stats)
    return {task: mean(task) for task in ["total"] + TASKS}


def print_table(rows):
    """Rows of text, the first of them the head; the first column to the left."""
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths)]
        print("  ".join([row[0].ljust(widths[0])] + cells[1:]).rstrip(), flush=True)
