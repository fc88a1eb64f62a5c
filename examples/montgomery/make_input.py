#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_input.py OUT COUNT: factors below 2^255 - 19 in limbs of 32 bits."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import random

import npy

out, count = sys.argv[1], int(sys.argv[2])
modulus = 2**255 - 19
random.seed(3)


def limbs(value):
    return [value >> (32 * i) & 0xFFFFFFFF for i in range(8)]


special = [0, 1, modulus - 1, 2**254, 2**32 - 1]
for name in "ab":
    numbers = special + [random.randrange(modulus) for _ in range(count - len(special))]
    random.shuffle(numbers)
    npy.write(f"{out}/{name}.npy", "<u4", (count, 8), [limb for x in numbers for limb in limbs(x)])
npy.write(f"{out}/modulus.npy", "<u4", (8,), limbs(modulus))
with open(f"{out}/modulus_inverse.txt", "w") as file:
    print(pow(-modulus, -1, 2**32), file=file)
