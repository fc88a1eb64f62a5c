"""Makes and compares .npy files without NumPy.

npy.py make FILE TYPE ROWS COLUMNS   cells 1, 2, 3, … modulo 7
npy.py set FILE TYPE CELL VALUE      changes one cell
npy.py sums IN OUT                   OUT must hold the prefix sums of each row
"""

import ast
import struct
import sys

CODES = {"<f4": "f", "<f8": "d", "<i4": "i", "|u1": "B"}


def make(path, code, rows, columns):
    head = repr({"descr": code, "fortran_order": False, "shape": (rows, columns)})
    head += " " * (-(11 + len(head)) % 64) + "\n"
    cells = [i % 7 for i in range(1, rows * columns + 1)]
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        file.write(struct.pack(f"<{len(cells)}{CODES[code]}", *cells))


def set_cell(path, code, cell, value):
    size = struct.calcsize(CODES[code])
    with open(path, "r+b") as file:
        head = struct.unpack("<H", file.read(10)[8:])[0]
        file.seek(10 + head + cell * size)
        file.write(struct.pack("<" + CODES[code], value))


def read(path):
    raw = open(path, "rb").read()
    size = struct.unpack("<H", raw[8:10])[0]
    head = ast.literal_eval(raw[10 : 10 + size].decode().strip())
    rows, columns = head["shape"]
    cells = struct.unpack(f"<{rows * columns}{CODES[head['descr']]}", raw[10 + size :])
    return [list(cells[i * columns : (i + 1) * columns]) for i in range(rows)]


if sys.argv[1] == "make":
    make(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
elif sys.argv[1] == "set":
    set_cell(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
else:
    before, after = read(sys.argv[2]), read(sys.argv[3])
    expected = [[sum(row[: i + 1]) for i in range(len(row))] for row in before]
    sys.exit(0 if after == expected else "the prefix sums are wrong")
