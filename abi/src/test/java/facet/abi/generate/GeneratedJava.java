package facet.abi.generate;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A folder of Java that the compiler is asked about. */
record GeneratedJava(Path folder) {

    void write(CommandTable table) throws IOException {
        Generate.java(table, new Output(folder.resolve("generated")));
    }

    /** Another file, instead of the one of the same name. */
    void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name + ".java"), text);
    }

    /** What the compiler says; empty when it is content. */
    String compile() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> sources = Files.walk(folder)) {
            List<Path> all = sources.filter(each -> each.toString().endsWith(".java")).toList();
            boolean compiled =
                    compiler.getTask(
                                    said,
                                    files,
                                    null,
                                    List.of(
                                            "-Xlint:all",
                                            "-Werror",
                                            "-proc:none",
                                            "-d",
                                            folder.toString()),
                                    null,
                                    files.getJavaFileObjectsFromPaths(all))
                            .call();
            assertTrue(compiled || !said.toString().isEmpty());
        }
        return said.toString();
    }
}
