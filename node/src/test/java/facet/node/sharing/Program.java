package facet.node.sharing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A program that launches loops, and knows what they compute. */
class Program {
    final Context context;
    final Stream stream;
    private final Kernel kernel;
    private final long out;
    private final List<long[]> copies = new ArrayList<>();
    private final List<Long> expected = new ArrayList<>();

    Program(Device device) {
        context = device.createContext(ContextOptions.of("test", 1 << 20));
        stream = context.createStream();
        kernel = context.load(Loop.PTX).kernel("loop");
        out = context.allocate(8 * 64);
    }

    void launch(int blocks, long rounds) {
        stream.launch(Launch.of(kernel, Dim.of(blocks), Dim.of(1), out, rounds));
        long[] copy = new long[blocks];
        stream.copyFromDevice(MemorySegment.ofArray(copy), out);
        copies.add(copy);
        expected.add(rounds);
    }

    void check(String what) {
        stream.synchronize();
        for (int i = 0; i < copies.size(); i++) {
            long wanted = Loop.result(expected.get(i));
            for (long each : copies.get(i)) {
                assertEquals(wanted, each, what + ", launch " + i);
            }
        }
        copies.clear();
        expected.clear();
    }
}
