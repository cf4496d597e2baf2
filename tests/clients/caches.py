"""What the Python clients compare with: the caches of a run, read from the formats' own description
and not by Muslin."""
import array
import json
import os
import struct
import sys


def fail(text):
    print(f"FAILED: {text}", file=sys.stderr, flush=True)
    sys.exit(1)


def five_frames(frames):
    return [round(i * (frames - 1) / 4) for i in range(5)]


def _floats(data, begin, count):
    values = array.array("f", data[begin:begin + 4 * count])
    if sys.byteorder == "big":
        values.byteswap()
    return values


class Cache:
    """A PC2 file: read(frame) gives x, y, z of all points in a row."""

    def __init__(self, file):
        self.name = os.path.splitext(os.path.basename(file))[0]
        with open(file, "rb") as stream:
            self.data = stream.read()
        magic, _, self.points, _, _, self.samples = struct.unpack("<12siiffi", self.data[:32])
        if magic != b"POINTCACHE2\0":
            fail(f"{file}: not PC2")

    def read(self, frame):
        return _floats(self.data, 32 + 12 * self.points * frame, 3 * self.points)


class Fields:
    """A NAME.fields file, as docs/output.md describes it."""

    def __init__(self, file):
        with open(file, "rb") as stream:
            self.data = stream.read()
        magic, _, self.points, count, _ = struct.unpack("<12siiii", self.data[:28])
        if magic != b"MUSLINFIELDS":
            fail(f"{file}: not a cache of fields")
        self.names = [self.data[28 + 16 * i:44 + 16 * i].rstrip(b"\0").decode() for i in range(count)]
        self.begin = 28 + 16 * count

    def read(self, name, frame):
        index = frame * len(self.names) + self.names.index(name)
        return _floats(self.data, self.begin + 4 * self.points * index, self.points)


class Run:
    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "report.json"), encoding="utf-8") as stream:
            report = json.load(stream)
        self.scene, self.rate = report["scene"], report["frame_rate"]
        self.caches = [Cache(os.path.join(folder, file)) for file in sorted(os.listdir(folder))
                       if file.endswith(".pc2")]
        self.frames = self.caches[0].samples

    def path(self, name):
        return os.path.join(self.folder, name)


def polygons(file):
    """The corners of every face of an OBJ file."""
    with open(file, encoding="utf-8") as stream:
        return [[int(corner.split("/")[0]) - 1 for corner in line.split()[1:]]
                for line in stream if line.startswith("f ")]
