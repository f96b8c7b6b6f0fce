package facet.abi.generate;

import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.CompilerC;
import facet.abi.CudaToolkit;
import facet.abi.Facts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * driver.table has what cuda.h declares: every symbol, its arguments, the version that brought it.
 */
final class DriverTableTest {
    private static final Pattern DECLARATION =
            Pattern.compile("\\bCUresult\\s+(cu[A-Z]\\w*)\\s*\\(([^()]*)\\)\\s*;");
    private static final Pattern VERSION =
            Pattern.compile("\\*PFN_(cu\\w+?)_v(\\d+)(_ptsz|_ptds)?\\)");

    /** Of these the table has the names alone: their types are those of other libraries. */
    private static final String GRAPHICS = "OpenGL, EGL and VDPAU";

    private static final String UNDECLARED = "In no header";

    @TempDir private Path folder = Path.of("");

    @Test
    void declarations() throws IOException, InterruptedException {
        Set<String> expected = new TreeSet<>();
        for (String option :
                List.of(
                        "-DPLAIN",
                        "-DCUDA_API_PER_THREAD_DEFAULT_STREAM",
                        "-D__CUDA_API_VERSION_INTERNAL")) {
            Matcher matcher = DECLARATION.matcher(preprocessed(option, "cuda.h", "cudaProfiler.h"));
            while (matcher.find()) {
                expected.add(matcher.group(1) + ": " + types(matcher.group(2)));
            }
        }
        assertTrue(expected.size() > 600, "only " + expected.size() + " declarations");
        Set<String> actual = new TreeSet<>();
        for (Call call : table().calls()) {
            if (call.group().equals(GRAPHICS) || call.group().equals(UNDECLARED)) {
                continue;
            }
            String parameters =
                    call.prototype().parameters().stream()
                            .map(Prototype.Parameter::declaration)
                            .collect(Collectors.joining(","));
            for (String symbol : call.symbols()) {
                actual.add(symbol + ": " + types(parameters));
            }
        }
        Facts.assertSame(expected, actual);
    }

    @Test
    void graphics() throws IOException, InterruptedException {
        Set<String> expected = new TreeSet<>();
        for (String option :
                List.of(
                        "-DPLAIN",
                        "-DCUDA_API_PER_THREAD_DEFAULT_STREAM",
                        "-D__CUDA_API_VERSION_INTERNAL")) {
            Set<String> others = new TreeSet<>();
            names(preprocessed(option, "cuda.h"), others);
            names(
                    preprocessed(option, "vdpau/vdpau.h", "cudaGL.h", "cudaEGL.h", "cudaVDPAU.h"),
                    expected);
            expected.removeAll(others);
        }
        assertTrue(expected.size() > 30, "only " + expected.size() + " declarations");
        Set<String> actual = new TreeSet<>();
        for (Call call : table().calls()) {
            if (call.group().equals(GRAPHICS)) {
                actual.addAll(call.symbols());
            }
        }
        Facts.assertSame(expected, actual);
    }

    private static void names(String text, Set<String> found) {
        Matcher matcher = DECLARATION.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
    }

    @Test
    void versions() throws IOException, InterruptedException {
        Set<String> expected = new TreeSet<>();
        Matcher matcher =
                VERSION.matcher(
                        preprocessed(
                                "-D__CUDA_API_VERSION_INTERNAL",
                                "vdpau/vdpau.h",
                                "cudaTypedefs.h",
                                "cudaProfilerTypedefs.h",
                                "cudaGLTypedefs.h",
                                "cudaEGLTypedefs.h",
                                "cudaVDPAUTypedefs.h"));
        while (matcher.find()) {
            expected.add(
                    matcher.group(1)
                            + " "
                            + matcher.group(2)
                            + " "
                            + (matcher.group(3) == null ? "" : matcher.group(3).substring(1)));
        }
        assertTrue(expected.size() > 600, "only " + expected.size() + " versions");
        Set<String> actual = new TreeSet<>();
        for (Call call : table().calls()) {
            if (call.group().equals(UNDECLARED)) {
                continue;
            }
            actual.add(call.baseName() + " " + call.since() + " ");
            if (call.hasVariant()) {
                actual.add(call.baseName() + " " + call.variantSince() + " " + call.variant());
            }
        }
        Facts.assertSame(expected, actual);
    }

    private static ApiTable table() throws IOException {
        return ApiTable.read(Path.of("tables/driver.table"), "CUresult");
    }

    private String preprocessed(String option, String... headers)
            throws IOException, InterruptedException {
        CompilerC.assumed();
        Path include = CudaToolkit.include();
        Path source = folder.resolve("headers.c");
        StringBuilder text = new StringBuilder();
        for (String header : headers) {
            text.append("#include <").append(header).append(">\n");
        }
        Files.writeString(source, text);
        stranger("GL/gl.h", "typedef unsigned GLuint, GLenum;");
        stranger("EGL/egl.h", "typedef void *EGLImageKHR, *EGLStreamKHR, *EGLSyncKHR;");
        stranger("EGL/eglext.h", "typedef int EGLint;");
        stranger("vdpau/vdpau.h", "typedef unsigned VdpDevice, VdpVideoSurface;");
        return CompilerC.run(
                "cc",
                "-E",
                "-P",
                option,
                "-I",
                include.toString(),
                "-I",
                folder.toString(),
                source.toString());
    }

    /** A header of another library, which may not be installed: nothing is compiled. */
    private void stranger(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** Types of the parameters, without their names. */
    private static String types(String parameters) {
        StringBuilder types = new StringBuilder();
        for (String parameter : parameters.split(",", -1)) {
            String spaced = parameter.replace("*", " * ").strip().replaceAll("\\s+", " ");
            types.append(spaced.replaceFirst("(?<=[ *])\\w+$", "").strip()).append("; ");
        }
        return types.toString().replace("void; ", "").replaceFirst("^; $", "");
    }
}
