package facet.abi.generate;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import facet.abi.CompilerC;
import facet.abi.CudaToolkit;
import facet.abi.Facts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** runtime.table has every function that NVIDIA's libcudart.so.13 exports, and no other. */
final class RuntimeTableTest {
    private static final String VERSION = "libcudart.so.13";

    @Test
    void exports() throws IOException, InterruptedException {
        Path library = CudaToolkit.assumed().resolve("lib64").resolve(VERSION);
        assumeTrue(Files.isReadable(library), "there is no " + library);
        assumeTrue(CompilerC.isOnPath("nm"), "nm is not on PATH (package binutils)");
        Set<String> expected = new TreeSet<>();
        CompilerC.run("nm", "-D", "--defined-only", library.toString())
                .lines()
                .map(line -> line.split(" ", -1))
                .filter(words -> words[1].equals("T"))
                .forEach(words -> expected.add(words[2].replaceFirst("@.*", "")));
        Set<String> actual = new TreeSet<>();
        ApiTable.read(Path.of("tables/runtime.table"), "cudaError_t").calls().stream()
                .filter(call -> call.isIn("13"))
                .forEach(call -> actual.addAll(call.symbols()));
        Facts.assertSame(expected, actual);
    }
}
