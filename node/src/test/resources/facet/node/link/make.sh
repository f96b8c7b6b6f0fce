#!/bin/sh
# Makes the PTX of this folder anew; made with nvcc 13.0.
set -eu
cd "$(dirname "$0")"
for each in first second; do
    nvcc -rdc=true -ptx -lineinfo -arch=compute_75 $each.cu -o $each.ptx
    # Paths of the machine are nobody's business.
    sed -i 's,"/.*/,",' $each.ptx
done
