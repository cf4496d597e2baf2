#!/usr/bin/env python3
"""Uses `muslin view` as a person would: on a display of its own (Xvfb), with real input (xdotool).

    tests/clients/window.py [PROGRAM]

Checks that the simulation runs, that the cloth follows the mouse, that it is pinned, that the
screenshot key writes a picture, that two recipes stand side by side, and that closing the window
ends with exit code 0.
"""
import ctypes
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build/muslin"))


def check(condition, text):
    if not condition:
        raise SystemExit(f"window: FAILED: {text}")
    print(f"window: {text}")


def until(condition, what, seconds=60):
    end = time.time() + seconds
    while time.time() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise SystemExit(f"window: FAILED: {what}: not within {seconds} s")


class Display:
    def __enter__(self):
        read, write = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24"],
            pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        number = os.read(read, 16).decode().strip()
        os.environ["DISPLAY"] = f":{number}"
        os.environ.pop("WAYLAND_DISPLAY", None)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class Viewer:
    """A running window, what it has logged, and hands to use it with."""

    def __init__(self, *arguments):
        self.log = tempfile.mktemp(suffix=".jsonl")
        self.process = subprocess.Popen([PROGRAM, "view", *arguments, "--log", self.log])
        until(lambda: self.process.poll() is not None or self.events("ready"), "the window opens")
        check(self.process.poll() is None, "the window is open")

    def events(self, kind):
        if not os.path.exists(self.log):
            return []
        with open(self.log) as lines:
            all_lines = [json.loads(line) for line in lines if line.endswith("\n")]
        return [line for line in all_lines if line["event"] == kind]

    def last(self):
        frames = self.events("frame")
        return frames[-1] if frames else {}

    def reach(self, frame):
        return until(lambda: self.last().get("frame", -1) >= frame and self.last(),
                     f"frame {frame} is reached")

    def input(self, *words):
        subprocess.run(["xdotool", *map(str, words)], check=True)

    def end(self):
        try:
            return self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise SystemExit("window: FAILED: it does not end")
        finally:
            os.path.exists(self.log) and os.remove(self.log)


def read_png(path):
    """Width, height, and how many of the first rows' bytes differ from each other."""
    data = open(path, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    at, body = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += size + 12
    return width, height, len(set(zlib.decompress(body)))


def distance(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5


def pull_pin_and_picture():
    viewer = Viewer("two-corner-sheet", "--set", "cloth.0.mesh.vertices=600")
    viewer.reach(40)  # it hangs
    check(viewer.last()["frame"] >= 40, f"it simulates: frame {viewer.last()['frame']}")

    x, y = map(round, viewer.last()["middle"])
    viewer.input("mousemove", x, y, "mousedown", 1)
    start = until(lambda: "target" in viewer.last() and viewer.last(), "the cloth is grabbed")
    for k in range(1, 16):
        viewer.input("mousemove", x + 5 * k, y - 5 * k)
        time.sleep(0.03)
    frame = viewer.last()["frame"]
    viewer.reach(frame + 25)
    now = viewer.last()
    check(now["vertex"] == start["vertex"], f"vertex {now['vertex']} is held")
    check(distance(now["target"], start["position"]) > 0.1, "the mouse moved its target by 10 cm")
    gap = distance(now["target"], now["position"])
    check(gap < 0.03, f"the vertex follows the target: {1e3 * gap:.1f} mm from it")
    pixel = distance(now["pixel"], (x + 75, y - 75))
    check(pixel < 12, f"it is drawn under the mouse: {pixel:.1f} pixels from it")

    # Pinned where it is held, it stays when the mouse lets go.
    viewer.input("key", "p")
    until(lambda: viewer.last().get("pinned") == 3, "P pins the vertex")
    viewer.input("mouseup", 1)
    frame = viewer.last()["frame"]
    held = viewer.reach(frame + 5)["position"]
    viewer.reach(frame + 15)
    moved = distance(viewer.last()["position"], held)
    check(moved < 1e-6, f"the pin holds: it moved by {1e3 * moved:.3f} mm")
    viewer.input("key", "p")
    frame = viewer.last()["frame"]
    viewer.reach(frame + 15)
    check(viewer.last()["position"][1] < held[1] - 0.05, "unpinned, it falls")

    viewer.input("key", "space")
    until(lambda: not viewer.last().get("playing", True) or pause_holds(viewer), "space pauses")
    viewer.input("key", "F12")
    file = until(lambda: viewer.events("screenshot"), "F12 takes a picture")[-1]["file"]
    width, height, values = read_png(file)
    check((width, height) == (1280, 720) and values > 60, f"{file} is a picture of the window")
    viewer.input("key", "F12")
    until(lambda: len(viewer.events("screenshot")) == 2, "F12 takes another")
    check(len({e["file"] for e in viewer.events("screenshot")}) == 2, "no picture is overwritten")
    viewer.input("key", "q")
    check(viewer.end() == 0, "Q ends with exit code 0")


def pause_holds(viewer):
    frame = viewer.last()["frame"]
    time.sleep(0.5)
    return viewer.last()["frame"] == frame


def close_by_the_window_manager():
    viewer = Viewer("drape-sphere", "--recipe", "muslin", "--recipe", "bw98", "--size", "900x500",
                    "--set", "cloth.0.mesh.resolution=15")
    viewer.reach(3)
    check(len(viewer.events("ready")[0]["panes"]) == 2, "two recipes side by side")
    window = subprocess.run(["xdotool", "search", "--name", "Muslin"], check=True,
                            capture_output=True, text=True).stdout.split()[0]
    ask_to_close(int(window))
    check(viewer.end() == 0, "closing the window ends with exit code 0")


def ask_to_close(window):
    """What a window manager sends when its close button is pressed."""
    class ClientMessage(ctypes.Structure):
        _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong),
                    ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
                    ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong),
                    ("format", ctypes.c_int), ("data", ctypes.c_long * 5),
                    ("padding", ctypes.c_long * 24)]  # an XEvent is that large

    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.restype = ctypes.c_ulong
    x11.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    x11.XSendEvent.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_long,
                               ctypes.c_void_p]
    x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
    display = x11.XOpenDisplay(None)
    event = ClientMessage(type=33, window=window, format=32,
                          message_type=x11.XInternAtom(display, b"WM_PROTOCOLS", 0))
    event.data[0] = x11.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
    x11.XSendEvent(display, window, 0, 0, ctypes.byref(event))
    x11.XCloseDisplay(display)


def refuse():
    bad = subprocess.run([PROGRAM, "view", "no-such-scene"], capture_output=True, text=True)
    check(bad.returncode in (2, 4), f"an unknown scene is refused: {bad.returncode}")
    with open("bad.toml", "w") as scene:
        scene.write('[[cloth]]\nname = "a"\nwidht = 3\n')
    bad = subprocess.run([PROGRAM, "view", "bad.toml"], capture_output=True, text=True)
    check(bad.returncode == 2 and "widht" in bad.stderr, "a bad scene has exit code 2")


def main():
    with tempfile.TemporaryDirectory() as folder, Display():
        os.chdir(folder)
        pull_pin_and_picture()
        close_by_the_window_manager()
        refuse()
        os.chdir(ROOT)
    print("window: all is well")


if __name__ == "__main__":
    signal.alarm(300)
    main()
