#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_input.py OUT COUNT: COUNT overlapping blocks of 32 samples."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import npy
import speech

out, count = sys.argv[1], int(sys.argv[2])
_, samples = speech.samples()
if len(samples) < count + 31:
    sys.exit("the recording is too short")
npy.write(
    f"{out}/blocks.npy",
    "<f4",
    (count, 32),
    [s for first in range(count) for s in samples[first : first + 32]],
)
