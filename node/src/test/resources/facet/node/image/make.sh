#!/bin/sh
# Makes the fat binaries of this folder anew; made with nvcc 13.0.
set -eu
cd "$(dirname "$0")"
for mode in speed size none; do
    nvcc -fatbin -compress-mode=$mode -gencode arch=compute_75,code=sm_75 \
        -gencode arch=compute_75,code=compute_75 -gencode arch=compute_80,code=compute_80 k.cu -o k-$mode.fatbin
done
nvcc -fatbin -gencode arch=compute_90a,code=compute_90a -gencode arch=compute_90,code=compute_90 \
    -gencode arch=compute_100f,code=compute_100f -gencode arch=compute_90a,code=sm_90a k.cu -o k-arch.fatbin
nvcc -fatbin -gencode arch=compute_86,code=sm_86 k.cu -o k-elf.fatbin
nvcc -fatbin -G -gencode arch=compute_75,code=compute_75 k.cu -o k-debug.fatbin
for each in first second; do
    nvcc -rdc=true -ptx -lineinfo -arch=compute_75 $each.cu -o $each.ptx
    # Paths of the machine are nobody's business.
    sed -i 's,"/.*/,",' $each.ptx
done
