#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_input.py OUT COUNT N: COUNT overlapping blocks of N samples."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import npy
import speech

out, count, n = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
_, samples = speech.samples()
if len(samples) < 2 * count + n:
    sys.exit("the recording is too short")
npy.write(
    f"{out}/keys.npy",
    "<f4",
    (count, n),
    [s for block in range(count) for s in samples[2 * block : 2 * block + n]],
)
