// The first program with its PTX in zstd, as small as it gets.
// flags: -compress-mode=size
#include "vector_add.cu"
