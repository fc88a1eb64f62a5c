# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes 8-bit grey and RGB pictures as PNG with the standard library alone."""
import struct
import zlib


def write(path, width, height, channels, pixels):
    """pixels: bytes, row by row; channels: 1 (grey) or 3 (RGB)."""

    def chunk(kind, body):
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    stride = width * channels
    rows = b"".join(b"\0" + pixels[y * stride : (y + 1) * stride] for y in range(height))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.write(
            chunk(
                b"IHDR", struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2}[channels], 0, 0, 0)
            )
        )
        file.write(chunk(b"IDAT", zlib.compress(rows, 6)))
        file.write(chunk(b"IEND", b""))
