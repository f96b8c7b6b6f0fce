package facet.abi;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Constants, sizes and offsets of types.table are those of cuda.h. */
final class CudaLayoutTest {

    @Test
    void sameAsInTheHeader(@TempDir Path folder) throws IOException, InterruptedException {
        CompilerC compiler = CompilerC.assumed();
        Path include = CudaToolkit.include();
        String source = CompilerC.GENERATED.resolve("facet_cuda_layout.c").toString();
        Path ours = folder.resolve("ours");
        Path theirs = folder.resolve("theirs");
        compiler.compile("-o", ours.toString(), source);
        compiler.compile(
                "-DFACET_COMPARE",
                "-D__CUDA_API_VERSION_INTERNAL",
                "-isystem",
                include.toString(),
                "-o",
                theirs.toString(),
                source);
        String expected = CompilerC.run(theirs.toString());
        assertTrue(expected.lines().count() > 700, "only " + expected.lines().count() + " facts");
        Facts.assertSame(
                expected.lines().toList(), CompilerC.run(ours.toString()).lines().toList());
    }
}
