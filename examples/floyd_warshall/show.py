#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""show.py OUT: a table of networks, and a check of the triangle inequality."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import npy

out = sys.argv[1]
(count, cells), roads = npy.read(f"{out}/roads.npy")
_, shortest = npy.read(f"{out}/shortest.npy")
n = int(cells**0.5)
print("network  roads  mean path  longest path")
for network in range(0, count, count // 8):
    d = shortest[network * cells : (network + 1) * cells]
    for i in range(n):
        for j in range(n):
            if any(d[i * n + k] + d[k * n + j] < d[i * n + j] - 1e-5 for k in range(n)):
                sys.exit(f"network {network}: the path {i} to {j} is not the shortest")
    row = roads[network * cells : (network + 1) * cells]
    num_roads = (sum(r != float("inf") for r in row) - n) // 2
    print(f"{network:7d}  {num_roads:5d}  {sum(d) / (cells - n):9.4f}  {max(d):12.4f}")
print(f"{count} networks of {n} towns")
