package facet.abi;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the C compiler makes of the records is what Java's constants say. */
final class LayoutTest {

    @Test
    void cAndJavaAgree(@TempDir Path folder)
            throws IOException, InterruptedException, ReflectiveOperationException {
        CompilerC compiler = CompilerC.assumed();
        Path program = folder.resolve("layout");
        compiler.compile(
                "-Wall",
                "-Wextra",
                "-Wpedantic",
                "-Werror",
                "-o",
                program.toString(),
                CompilerC.GENERATED.resolve("facet_layout.c").toString());
        List<String> fromC = CompilerC.run(program.toString()).lines().toList();
        assertTrue(fromC.size() > 200, "the program printed only " + fromC.size() + " constants");

        List<String> fromJava = new ArrayList<>();
        for (String name : fromC.stream().map(line -> line.split(" ", 2)[0]).distinct().toList()) {
            for (Field field : Class.forName("facet.abi." + name).getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class) {
                    fromJava.add(name + " " + field.getName() + " " + field.getInt(null));
                }
            }
        }
        Facts.assertSame(fromC, fromJava);
    }
}
