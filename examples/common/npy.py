# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads and writes .npy files with the standard library alone.

An array is a pair (shape, array.array in C order). Only what the examples need:
little-endian integers and floats.
"""
import ast
import array
import math

_CODES = {
    "|i1": "b",
    "|u1": "B",
    "<i2": "h",
    "<u2": "H",
    "<i4": "i",
    "<u4": "I",
    "<i8": "q",
    "<u8": "Q",
    "<f4": "f",
    "<f8": "d",
    "|b1": "B",
}


def write(path, dtype, shape, values):
    """dtype: a key of the table above, such as '<f4'."""
    data = array.array(_CODES[dtype], values)
    if len(data) != math.prod(shape):
        raise ValueError(f"{path}: {len(data)} values for shape {shape}")
    dims = ", ".join(str(n) for n in shape) + ("," if len(shape) == 1 else "")
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({dims}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little"))
        file.write(header.encode())
        file.write(data.tobytes())


def read(path):
    with open(path, "rb") as file:
        if file.read(6) != b"\x93NUMPY":
            raise ValueError(f"{path}: not an .npy file")
        major = file.read(2)[0]
        length = int.from_bytes(file.read(2 if major == 1 else 4), "little")
        header = ast.literal_eval(file.read(length).decode())
        if header["fortran_order"]:
            raise ValueError(f"{path}: Fortran order")
        data = array.array(_CODES[header["descr"]])
        data.frombytes(file.read())
    if len(data) != math.prod(header["shape"]):
        raise ValueError(f"{path}: {len(data)} values for shape {header['shape']}")
    return header["shape"], data
