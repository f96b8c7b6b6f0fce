package facet.host.image;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.LoadedModule;
import facet.device.Stream;
import facet.device.cpu.CpuDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What nvcc compiled apart from each other, linked. */
@Timeout(300)
class LinkedProgramTest {
    private static String read(String name) {
        return new String(Images.read(name + ".ptx"), StandardCharsets.UTF_8);
    }

    /** first calls a function of second and counts in its variable; both print and have statics. */
    @ParameterizedTest
    @ValueSource(strings = {"first second", "second first"})
    void separatelyCompiledSourcesRunTogether(String order) {
        List<String> texts = List.of(order.split(" ")).stream().map(each -> read(each)).toList();
        StringBuilder printed = new StringBuilder();
        try (CpuDevice device = CpuDevice.create();
                Context context =
                        device.createContext(
                                ContextOptions.of("link", 64L << 20).withOutput(printed::append));
                Arena arena = Arena.ofShared()) {
            LoadedModule module = context.link(texts);
            Stream stream = context.createStream();
            long cells = context.allocate(256);
            stream.launch(
                    Launch.of(module.kernel("first"), Dim.of(1), Dim.of(32), cells)
                            .withShared(128));
            MemorySegment results = arena.allocate(128, 4);
            stream.copyFromDevice(results, cells);
            stream.synchronize();
            // twice(i + 1) is 2 * (i + 1); 3 comes from the template, chosen(0) is twice(0).
            assertEquals(2 * 8 + 3, results.getAtIndex(ValueLayout.JAVA_INT, 7));
            stream.launch(
                    Launch.of(module.kernel("second"), Dim.of(1), Dim.of(32), cells)
                            .withShared(128));
            stream.copyFromDevice(results, cells);
            stream.synchronize();
            assertEquals(1000 + 32 + 30, results.getAtIndex(ValueLayout.JAVA_INT, 7));
        }
        assertEquals("first 132\nsecond 200\n", printed.toString());
    }
}
