package facet.system.tests;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where things are. Tests run in the directory of their module. */
final class Places {
    static final Path MODULE = Path.of("").toAbsolutePath();
    static final Path ROOT = MODULE.resolve("..").normalize();
    static final Path PROGRAMS = MODULE.resolve("programs");
    static final Path DRIVER = MODULE.resolve("driver");
    static final Path PROFILE_9 = MODULE.resolve("profile_9");
    static final Path PTX = MODULE.resolve("ptx");
    static final Path BUILT = MODULE.resolve("target/programs");
    static final Path NATIVE = ROOT.resolve("native");
    static final Path LIBRARIES = NATIVE.resolve("target/lib");

    /** facet_cuda.h: for machines without cuda.h. */
    static final Path GENERATED = ROOT.resolve("abi/target/generated/c");

    private Places() {}

    /** A library that programs need; without it nothing can run. */
    static Path library(String name) {
        Path library = LIBRARIES.resolve(name);
        if (!Files.exists(library)) {
            throw new IllegalStateException(
                    library + " is missing: the module native builds it (mvn -pl native compile)");
        }
        return library;
    }
}
