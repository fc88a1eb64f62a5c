"""sparse.py ROWS LEAST STARTS [COLUMNS]: the .npy files of a sparse matrix in compressed rows, of
LEAST to LEAST + 5 cells each."""

import array
import struct
import sys


def write(path, cells):
    head = "{'descr': '<i4', 'fortran_order': False, 'shape': (%d,), }" % len(cells)
    head += " " * (117 - len(head)) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        array.array("i", cells).tofile(out)


rows = int(sys.argv[1])
starts = [0]
for i in range(rows):
    starts.append(starts[-1] + int(sys.argv[2]) + i % 6)
write(sys.argv[3], starts)
for columns in sys.argv[4:]:
    write(columns, [k * 7919 % rows for k in range(starts[-1])])
