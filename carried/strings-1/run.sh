# expected: 60 s (compile 25, runs 35)
exec > out.txt 2>&1
date
C="nvcc -O3 -std=c++20 -arch=sm_90 -w -I."
cat > list <<L
$C prep.cu -o prep && ./prep
$C -Ibase/include main.cu -o base
$C -Inew/include main.cu -o new
$C -Inew/include -DALWAYS main.cu -o new_always
$C -Inew/include -DNEVER main.cu -o new_never
$C -Inew/include -DALWAYS -DTHREADS=1024 main.cu -o new_1024
$C -Inew/include -DALWAYS -DTHREADS=896 main.cu -o new_896
$C -Inocmp/include main.cu -o nocmp
L
tr '\n' '\0' < list | xargs -0 -P16 -n1 bash -c
date
for b in base new new_never new_1024 new_896 nocmp; do ./$b $b; done
for b in new_always new_never; do ./$b $b random; done
date
timeout 25 ncu --clock-control none -k regex:count_anchored -c 7 --section SpeedOfLight --section ComputeWorkloadAnalysis --section WarpStateStats --section InstructionStats --section MemoryWorkloadAnalysis_Tables --section LaunchStats ./new new 2>&1 | grep -v -i "opt\|inf " 
cuobjdump -sass -fun "$(cuobjdump -elf new | grep -o '_ZN[a-zA-Z0-9_]*count_anchored_kernel[a-zA-Z0-9_]*' | sort -u | head -1)" new | grep -E '^\s+/\*[0-9a-f]{4}\*/' | sed 's/\/\* 0x.*//' | head -3000
date
