"""What Nsight Compute counts of a programme: the K-model's table.

Sums over all kernels that the programme launches: sectors of global memory that loads
and stores move (four are a 128-byte transaction), conflicts of the banks of shared
memory beside all accesses to it, branches on which a warp parts, time in kernels.
"""

import csv
import io

METRICS = {
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": "sectors_loaded",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum": "sectors_stored",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum": "bank_conflicts",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum": "shared_wavefronts",
    "smsp__sass_branch_targets_threads_divergent.sum": "divergent_branches",
    "gpu__time_duration.sum": "kernel_nanoseconds",
}
# Kernels of benchmarks that fill memory, and one that asks for the architecture.
PREPARATION = ("fill_words", "fill_points")
NCU_OPTIONS = [
    "--clock-control",
    "none",
    "--cache-control",
    "none",
    "--csv",
    "--print-units",
    "base",
    "--metrics",
    ",".join(METRICS),
]


def sums(output):
    """{name: sum}, or None if any metric is missing."""
    begin = output.find('"ID"')
    if begin < 0:
        return None
    found = {}
    for row in csv.DictReader(io.StringIO(output[begin:])):
        name = METRICS.get(row.get("Metric Name"))
        if name and not any(p in row["Kernel Name"] for p in PREPARATION):
            try:
                value = float(row["Metric Value"].replace(",", ""))
            except ValueError:
                return None
            found[name] = found.get(name, 0) + value
    if set(found) != set(METRICS.values()):
        return None
    return {
        **{name: round(value) for name, value in found.items()},
        "transactions": round((found["sectors_loaded"] + found["sectors_stored"]) / 4),
    }
