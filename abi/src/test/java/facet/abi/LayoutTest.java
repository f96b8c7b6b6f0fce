package facet.abi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
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
        Map<String, Long> fromC = new TreeMap<>();
        for (String line : CompilerC.run(program.toString()).lines().toList()) {
            String[] words = line.split(" ", 3);
            fromC.put(words[0] + " " + words[1], Long.parseLong(words[2]));
        }
        assertTrue(fromC.size() > 200, "the program printed only " + fromC.size() + " constants");

        Map<String, Long> fromJava = new TreeMap<>();
        for (String name :
                fromC.keySet().stream().map(each -> each.split(" ", 2)[0]).distinct().toList()) {
            for (Field field : Class.forName("facet.abi." + name).getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class) {
                    fromJava.put(name + " " + field.getName(), (long) field.getInt(null));
                }
            }
        }
        assertEquals(fromC, fromJava);
    }
}
