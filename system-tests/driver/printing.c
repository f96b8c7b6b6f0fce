/* What kernels print, in the order of the program's own lines. */
#include "check.h"

int main(void)
{
    open_device();
    CUfunction greet = kernel(load_kernels(), "greet");
    for (int i = 1; i <= 3; i++) {
        printf("launching %d\n", i);
        CHECK(LAUNCH(greet, 1, 1, 0, NULL, &i));
        if (i != 2)
            CHECK(cuCtxSynchronize());
    }
    printf("ok printed\n");
    return 0;
}
