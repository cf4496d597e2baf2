#!/usr/bin/python3
"""The .pvd and .vtu files of a run in VTK.

    tests/clients/vtk.py PROGRAM FOLDER
"""
import math
import os
import sys
import xml.etree.ElementTree as xml

from caches import Fields, Run, fail, polygons

from vtkmodules.vtkCommonCore import vtkVersion
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

CELL_TYPES = {3: 5, 4: 9}  # of that many corners; else 7, a polygon


def read_grid(file):
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(file)
    reader.Update()
    if reader.GetErrorCode() != 0:
        fail(f"{file}: error {reader.GetErrorCode()}")
    return reader.GetOutput()


def largest(a, b):
    if len(a) != len(b):
        fail(f"{len(a)} values, expected {len(b)}")
    return max(abs(x - y) for x, y in zip(a, b))


def values(vtk_array):
    return [vtk_array.GetComponent(i, k) for i in range(vtk_array.GetNumberOfTuples())
            for k in range(vtk_array.GetNumberOfComponents())]


def check_cells(grid, faces, name):
    if grid.GetNumberOfCells() != len(faces):
        fail(f"{name}: {grid.GetNumberOfCells()} cells, expected {len(faces)}")
    for i, face in enumerate(faces):
        cell = grid.GetCell(i)
        if cell.GetCellType() != CELL_TYPES.get(len(face), 7):
            fail(f"{name}: cell {i} is of type {cell.GetCellType()}")
        if [cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())] != face:
            fail(f"{name}: corners of cell {i}")


def check_fields(run, cache, grid, frame, fields):
    data = grid.GetPointData()
    names = [data.GetArrayName(i) for i in range(data.GetNumberOfArrays())]
    for name in ("stretch", "shear", "bending", "speed"):
        if name not in names:
            fail(f"{cache.name}: no field {name}")
    now, before = cache.read(frame), cache.read(max(0, frame - 1))
    speed = [math.dist(now[3 * i:3 * i + 3], before[3 * i:3 * i + 3]) * run.rate
             for i in range(cache.points)]
    worst = largest(values(data.GetArray("speed")), speed)
    for name in fields.names if fields else []:
        worst = max(worst, largest(values(data.GetArray(name)), fields.read(name, frame)))
    return worst


def check(run):
    pvd = run.path(f"vtu/{run.scene}.pvd")
    entries = xml.parse(pvd).getroot().findall("Collection/DataSet")
    points, field_error = 0.0, 0.0
    for cache in run.caches:
        listed = [entry for entry in entries if entry.get("name") == cache.name]
        times = [float(entry.get("timestep")) for entry in listed]
        if largest(times, [frame / run.rate for frame in range(run.frames)]) > 1e-12:
            fail(f"{pvd}: times of {cache.name}")
        faces = polygons(run.path(cache.name + ".obj"))
        fields = run.path(cache.name + ".fields")
        fields = Fields(fields) if os.path.exists(fields) else None
        for frame, entry in enumerate(listed):
            grid = read_grid(os.path.join(os.path.dirname(pvd), entry.get("file")))
            points = max(points, largest(values(grid.GetPoints().GetData()), cache.read(frame)))
            if not cache.name.startswith("body-"):
                field_error = max(field_error, check_fields(run, cache, grid, frame, fields))
        check_cells(grid, faces, cache.name)
    if points > 0 or field_error > 1e-5:
        fail(f"{pvd}: points off by {points} m, fields by {field_error}")
    print(f"VTK {vtkVersion.GetVTKVersion()}: {pvd}: {run.frames} times, largest difference of points "
          f"{points:.1e} m, of fields {field_error:.1e}", flush=True)


for run_name in ("drape", "quads"):
    check(Run(os.path.join(sys.argv[2], run_name)))
