"""What the probes of scripts/calibrate print on a made-up machine: probes.py FOLDER [translation].

L2 answers loads in 5 ns as long as it holds 40 MB, memory in 25; one thread waits 400 ns for
memory, and 100 more where a cache of 1024 nodes does not have a page of 2 MiB.
"""
import pathlib
import sys

PROBES = """sms,,100
resident_threads,,2048
registers,,65536
warp,,32
l2,,50331648
shared_bytes,,233472
copy_gb_s,device,4000
dram_line_requests_g_s,stride 256,1.25
dram_store_line_requests_g_s,stride 256,0.5
l2_requests_g_s,32 MiB,62.5
l2_store_requests_g_s,32 MiB,31.25
l2_line_requests_g_s,32 MiB,4
l2_store_line_requests_g_s,32 MiB,2
dram_latency_ns,,400
l2_latency_ns,,150
l1_latency_ns,,20
issue,fma,4
stored_latency_ns,64 KiB,230
loads_ns,1,400
loads_ns,128,2860
loads_ns,192,4140
clock_ghz,,2
host_link_gb_s,in,50
"""


def main():
    folder, translates = pathlib.Path(sys.argv[1]), len(sys.argv) > 2
    folder.mkdir(exist_ok=True)
    head = "# Made up\nprobe,parameter,value\n"
    for number, launch in enumerate((4, 5, 9)):  # the median counts
        (folder / f"calibrate{number}.csv").write_text(f"{head}{PROBES}launch_us,,{launch}\n")
    lines = "# Made up\nbytes,way,nanoseconds\n"
    for log2 in range(20, 37):
        size = 1 << log2
        missed = max(0, 1 - 40e6 / size)
        pages = max(0, 1 - 1022 / max(1, size >> 21)) if translates else 0
        lines += f"{size},all,{5 + 20 * missed}\n{size},one,{400 + 100 * pages}\n"
    (folder / "random_scan.csv").write_text(lines)


main()
