package facet.device.cpu.parts;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import facet.device.cpu.CpuDevice;
import facet.ptx.rewrite.BlockForm;
import facet.ptx.rewrite.GridSize;
import facet.ptx.rewrite.HiddenArguments;
import facet.ptx.rewrite.Rewrite;
import facet.ptx.rewrite.Rewritten;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Launches in parts of every size give what the launch as a whole gives. */
@Timeout(120)
final class PartedTest {
    private static final Device DEVICE = CpuDevice.create();
    private static final ContextOptions OPTIONS = ContextOptions.of("parts", 16L << 20);

    private static final List<Dim> GRIDS = List.of(Dim.of(1), Dim.of(7), new Dim(3, 2, 4));
    private static final List<Dim> BLOCKS = List.of(Dim.of(64), Dim.of(45), Dim.of(1));

    @AfterAll
    static void close() {
        DEVICE.close();
    }

    private static int[] run(Device device, String text, Dim grid, Dim block) {
        try (Context context = device.createContext(OPTIONS)) {
            Stream stream = context.createStream();
            int[] words = new int[PartedKernels.OWN / 4 + (int) (grid.count() * block.count())];
            long memory = context.allocate(4L * words.length);
            Kernel kernel = context.load(text).kernel("kernel");
            stream.launch(Launch.of(kernel, grid, block, 0, memory));
            stream.copyFromDevice(MemorySegment.ofArray(words), memory);
            stream.synchronize();
            return words;
        }
    }

    @ParameterizedTest
    @EnumSource
    void asTheWhole(PartedKernels kernel) {
        for (BlockForm form : BlockForm.values()) {
            assertEquals(List.of(), Rewrite.rewrite(kernel.text, form).refusals());
        }
        for (Dim grid : GRIDS) {
            for (Dim block : BLOCKS) {
                if (kernel == PartedKernels.COUNTED_BARRIERS && block.x() != 64) {
                    continue; // it counts on two warps
                }
                int[] whole = run(DEVICE, kernel.text, grid, block);
                for (Parts parts :
                        List.of(
                                Parts.of(BlockForm.RANGES, 1, 1),
                                Parts.of(BlockForm.RANGES, 5, 1),
                                Parts.whole(BlockForm.RANGES, 1),
                                Parts.of(BlockForm.PERSISTENT, 3, 2),
                                Parts.whole(BlockForm.PERSISTENT, 1),
                                Parts.whole(BlockForm.PERSISTENT, 100),
                                Parts.random(BlockForm.PERSISTENT, 5))) {
                    assertArrayEquals(
                            whole,
                            run(new PartedDevice(DEVICE, parts), kernel.text, grid, block),
                            parts + " " + grid + " " + block);
                }
            }
        }
    }

    /** Each block is done once, whoever does it and however often they are stopped. */
    @ParameterizedTest
    @EnumSource
    void everyBlockOnce(BlockForm form) {
        String text =
                PartedKernels.SHARED_MEMORY.text.replace(
                        "st.global.u32 [%own], %r3;", "atom.global.add.u32 %r3, [%own], 1;");
        Dim grid = new Dim(5, 3, 7);
        for (int seed = 0; seed < 10; seed++) {
            Device parted = new PartedDevice(DEVICE, Parts.random(form, seed));
            int[] words = run(parted, text, grid, Dim.of(3));
            int[] own = Arrays.copyOfRange(words, PartedKernels.OWN / 4, words.length);
            assertTrue(Arrays.stream(own).allMatch(each -> each == 1), Arrays.toString(own));
        }
    }

    /** With the flag set nothing is begun; without it the rest is done. */
    @Test
    void stopsAtTheFlagAndGoesOn() {
        Rewritten rewritten =
                Rewrite.rewrite(PartedKernels.SHARED_MEMORY.text, BlockForm.PERSISTENT);
        try (Context context = DEVICE.createContext(OPTIONS)) {
            Stream stream = context.createStream();
            Kernel kernel = context.load(rewritten.text()).kernel("kernel");
            long memory = context.allocate(64 << 10);
            long state = context.allocate(HiddenArguments.stateBytes(2));
            GridSize grid = new GridSize(4, 2, 1);
            Launch launch =
                    Launch.of(
                            kernel,
                            Dim.of(2),
                            Dim.of(8),
                            0,
                            memory,
                            HiddenArguments.persistent(grid, state, grid.blocks()));
            stream.fill(state + HiddenArguments.STOP, 1, Integer.BYTES, 1);
            stream.launch(launch);
            assertEquals(0, word(stream, state + HiddenArguments.TAKEN));
            assertEquals(0, word(stream, memory + PartedKernels.OWN));
            stream.fill(state + HiddenArguments.STOP, 0, Integer.BYTES, 1);
            stream.launch(launch);
            assertTrue(word(stream, state + HiddenArguments.TAKEN) >= 8);
            assertEquals(7007, word(stream, memory + PartedKernels.OWN + 4 * 7 * 8));
        }
    }

    private static int word(Stream stream, long address) {
        int[] word = new int[1];
        stream.copyFromDevice(MemorySegment.ofArray(word), address);
        stream.synchronize();
        return word[0];
    }
}
