package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/** The unit tests of the C code, which need no daemon; built with AddressSanitizer and UBSan. */
class NativeTest {
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
