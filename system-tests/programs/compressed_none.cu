// The first program with its PTX as it is.
// flags: -no-compress
#include "vector_add.cu"
