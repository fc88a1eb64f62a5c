# expected: about 40 seconds (30 compiling in parallel, 10 running)
for k in 0 1 2 3 4; do nvcc -O3 -std=c++20 -arch=sm_90 -w -DPART=$k tri.cu -o tri$k 2>>err.txt & done
wait
{ cat err.txt; for k in 0 1 2 3 4; do timeout 10 ./tri$k; done; } > out.txt 2>&1
