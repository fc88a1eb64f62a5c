#include "rt/bench/string_bench.cuh"
int main() { auto p = bench::source_files(); FILE *f = fopen("text.bin", "wb"); fwrite(p.data(), 1, p.size(), f); fclose(f); printf("text %zu\n", p.size()); }
