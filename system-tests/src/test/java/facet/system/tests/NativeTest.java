package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/** The C code by itself, without a daemon. */
class NativeTest {
    /** Everything that runs in other people's programs, or as root. */
    @TestFactory
    List<DynamicNode> mistakesAreOfLittleUse() throws IOException {
        assumeTrue(Tools.onPath("readelf").isPresent(), "binutils are not installed");
        List<DynamicNode> all = new ArrayList<>();
        for (String folder : List.of("lib", "bin")) {
            try (Stream<Path> files = Files.list(Places.NATIVE.resolve("target/" + folder))) {
                files.filter(Files::isRegularFile)
                        .filter(each -> !Files.isSymbolicLink(each))
                        .sorted()
                        .forEach(each ->
                                all.add(
                                        dynamicTest(
                                                each.getFileName().toString(),
                                                () -> assertHardened(each))));
            }
        }
        assertFalse(all.isEmpty());
        return all;
    }

    private static void assertHardened(Path file) throws Exception {
        Outcome outcome =
                Runner.build(
                        List.of("readelf", "-W", "-l", "-d", "--dyn-syms", file.toString()),
                        Places.NATIVE);
        String text = outcome.output();
        assertEquals(0, outcome.status(), outcome.report());
        assertTrue(text.contains("GNU_RELRO"), "relocations stay writable");
        assertTrue(text.contains("BIND_NOW"), "addresses of functions stay writable");
        assertTrue(text.contains("DYN ("), "it is always at the same place");
        assertTrue(
                text.lines()
                        .filter(each -> each.contains("GNU_STACK"))
                        .allMatch(each -> each.contains("RW ")),
                "the stack is executable");
        assertTrue(text.contains("__stack_chk_fail"), "nobody looks after return addresses");
    }

    /** Built with AddressSanitizer and UBSan. */
    @TestFactory
    List<DynamicNode> units() {
        return Program.all(Places.NATIVE.resolve("test"), "_test.c").stream()
                .<DynamicNode>map(each ->
                        dynamicTest(
                                each.name(),
                                () -> {
                                    Outcome outcome =
                                            Runner.build(
                                                    List.of(
                                                            Places.NATIVE
                                                                    .resolve("test/run")
                                                                    .toString(),
                                                            each.name()),
                                                    Places.NATIVE);
                                    assertEquals(0, outcome.status(), outcome.report());
                                }))
                .toList();
    }
}
