#!/usr/bin/python3
"""A run in Blender: OBJ with PC2 and with MDD by the Mesh Cache modifier, and the .glb.

    tests/clients/blender.py PROGRAM FOLDER
"""
import os
import subprocess
import sys

try:
    import bpy
except ImportError:  # not inside Blender yet
    blender = subprocess.run(
        ["blender", "-b", "--factory-startup", "--python-exit-code", "1", "--python",
         os.path.abspath(__file__), "--", *sys.argv[1:]],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    for line in blender.stdout.splitlines():
        if blender.returncode != 0 or (line.startswith("Blender ") and ": " in line):
            print(line)
    sys.exit(blender.returncode)

import numpy

numpy.bool = bool  # Debian's glTF importer is older than Debian's numpy, which dropped this name
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from caches import Run, fail, five_frames, polygons


def clear():
    bpy.ops.wm.read_factory_settings(use_empty=True)


def evaluated(item):
    """Vertices of an object at the scene's frame, with its modifiers and shape keys."""
    mesh = item.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    return [coordinate for vertex in mesh.vertices for coordinate in vertex.co]


def largest(a, b):
    if len(a) != len(b):
        fail(f"{len(a) // 3} vertices, expected {len(b) // 3}")
    return max(abs(x - y) for x, y in zip(a, b))


def say(what, file, difference):
    if not difference < 1e-6:
        fail(f"{file}: off by {difference} m")
    print(f"Blender {bpy.app.version_string}: {what}: {file}: largest difference {difference:.1e} m",
          flush=True)


def import_obj(file):
    bpy.ops.wm.obj_import(filepath=file)
    return bpy.context.selected_objects[0]


def check_cache(run, cache, ending):
    clear()
    item = import_obj(run.path(cache.name + ".obj"))
    faces = [list(polygon.vertices) for polygon in item.data.polygons]
    if faces != polygons(run.path(cache.name + ".obj")):
        fail(f"{cache.name}: the polygons are others")
    modifier = item.modifiers.new("cache", "MESH_CACHE")
    modifier.cache_format = ending.upper()
    modifier.filepath = run.path(f"{cache.name}.{ending}")
    difference = 0.0
    for frame in five_frames(run.frames):
        bpy.context.scene.frame_set(frame)
        difference = max(difference, largest(evaluated(item), cache.read(frame)))
    say(f"OBJ + {ending.upper()}", modifier.filepath, difference)
    return item


def check_texcoords(run, cache, item):
    """Coordinates of every corner are those of the OBJ file."""
    texcoords, corners = [], []
    with open(run.path(cache.name + ".obj"), encoding="utf-8") as stream:
        for line in stream:
            words = line.split()
            if words and words[0] == "vt":
                texcoords.append((float(words[1]), float(words[2])))
            elif words and words[0] == "f":
                corners += [texcoords[int(corner.split("/")[1]) - 1] for corner in words[1:]]
    layer = item.data.uv_layers.active.data
    for i, expected in enumerate(corners):
        if max(abs(layer[i].uv[0] - expected[0]), abs(layer[i].uv[1] - expected[1])) > 1e-6:
            fail(f"{cache.name}: texture coordinates of corner {i}")


def check_glb(run):
    clear()
    scene = bpy.context.scene
    scene.render.fps = round(run.rate)
    file = run.path(run.scene + ".glb")
    bpy.ops.import_scene.gltf(filepath=file)
    difference = 0.0
    for cache in run.caches:
        item = bpy.data.objects[cache.name]
        for frame in five_frames(run.frames):
            scene.frame_set(frame)
            # The importer turns y up into z up.
            found = evaluated(item)
            turned = [value for i in range(cache.points)
                      for value in (found[3 * i], found[3 * i + 2], -found[3 * i + 1])]
            difference = max(difference, largest(turned, cache.read(frame)))
    say("glTF", file, difference)


for name in ("drape", "quads"):
    current = Run(os.path.join(sys.argv[sys.argv.index("--") + 2], name))
    for point_cache in current.caches:
        for kind in ("pc2", "mdd"):
            check_texcoords(current, point_cache, check_cache(current, point_cache, kind))
    check_glb(current)
