package facet.abi.generate;

/** facet_cuda.h: types and prototypes of the driver API. */
final class CudaHeader {
    private CudaHeader() {}

    static String text(TypeTable types) {
        Text text = Text.c("abi/tables/types.table and driver.table");
        text.line("#ifndef FACET_CUDA_H").line("#define FACET_CUDA_H").line();
        text.line("#include <stdbool.h>").line("#include <stddef.h>").line("#include <stdint.h>");
        text.line();
        TypesHeader.write(text, types);
        return text.line().line("#endif").toString();
    }
}
