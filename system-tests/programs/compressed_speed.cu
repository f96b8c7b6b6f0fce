// The first program with its PTX in LZ4.
// flags: -compress-mode=speed
#include "vector_add.cu"
