package facet.system.tests;

import java.util.Locale;

/** How a program reaches the GPU. The same object is linked in all forms. */
enum Form {
    /** libcudart.so, found by the loader. */
    SHARED,
    /** The CUDA runtime inside the program: nvcc's default. */
    STATIC,
    /** No CUDA runtime: programs/thin_runtime.c on libcuda.so.1. */
    DRIVER;

    static Form named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
