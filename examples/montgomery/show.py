#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""show.py OUT: a few products, and the check of all against Python's integers."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import npy

out = sys.argv[1]


def numbers(name):
    (count, n), limbs = npy.read(f"{out}/{name}.npy")
    return [int.from_bytes(limbs[i * n : (i + 1) * n].tobytes(), "little") for i in range(count)]


a, b, product = numbers("a"), numbers("b"), numbers("product")
modulus = 2**255 - 19
unit = pow(2, -256, modulus)
for i, (x, y, z) in enumerate(zip(a, b, product)):
    if x * y * unit % modulus != z:
        sys.exit(f"product {i} is wrong: {z:064x}")
for i in range(0, len(a), len(a) // 4):
    print(f"  {a[i]:064x}\n* {b[i]:064x}\n= {product[i]:064x}\n")
print(f"{len(a)} products modulo 2^255 - 19: all right")
