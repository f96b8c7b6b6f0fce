package facet.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** By what the system says about the address space of this process. */
final class GuardTest {
    /** A line of /proc/self/maps. */
    private record Area(long start, long end, String access) {}

    private static List<Area> areas() throws IOException {
        List<Area> areas = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            String[] words = line.split("[- ]", 4);
            areas.add(
                    new Area(
                            Long.parseUnsignedLong(words[0], 16),
                            Long.parseUnsignedLong(words[1], 16),
                            line.split(" ", -1)[1]));
        }
        return areas;
    }

    private static boolean isGuarded(long address, long bytes, long guard) throws IOException {
        List<Area> areas = areas();
        boolean before =
                areas.stream()
                        .anyMatch(each ->
                                each.end == address
                                        && each.end - each.start >= guard
                                        && each.access.startsWith("---"));
        boolean behind =
                areas.stream()
                        .anyMatch(each ->
                                each.start == address + bytes
                                        && each.end - each.start >= guard
                                        && each.access.startsWith("---"));
        return before && behind;
    }

    private static Optional<Area> at(long address) throws IOException {
        return areas().stream()
                .filter(each -> each.start <= address && address < each.end)
                .findFirst();
    }

    @Test
    void memoryOfKernelsHasGuards() throws IOException {
        try (MappingUnsafe scratch = MappingUnsafe.of(5000)) {
            long bytes = scratch.segment().byteSize();
            assertTrue(isGuarded(scratch.address(), bytes, GuardedUnsafe.NEAR));
        }
        try (MappingUnsafe context = MappingUnsafe.huge(64 << 20)) {
            long bytes = context.segment().byteSize();
            assertTrue(isGuarded(context.address(), bytes, GuardedUnsafe.FAR));
        }
    }

    @Test
    void contextsAreFarFromEachOther() throws IOException {
        try (SharedMemoryUnsafe one = SharedMemoryUnsafe.createGuarded("one", 1L << 30);
                SharedMemoryUnsafe two = SharedMemoryUnsafe.createGuarded("two", 1L << 30)) {
            assertTrue(isGuarded(one.address(), one.bytes(), GuardedUnsafe.FAR));
            assertTrue(isGuarded(two.address(), two.bytes(), GuardedUnsafe.FAR));
            long apart = Math.abs(one.address() - two.address()) - one.bytes();
            assertTrue(apart >= 2 * GuardedUnsafe.FAR, "only " + apart);
        }
    }

    @Test
    void guardsGoWithTheMapping() throws IOException {
        SharedMemoryUnsafe memory = SharedMemoryUnsafe.createGuarded("test", 1 << 20);
        long guard = memory.address() - GuardedUnsafe.FAR / 2;
        assertTrue(at(guard).isPresent());
        memory.close();
        assertEquals(Optional.empty(), at(guard).filter(each -> each.start <= guard - (1 << 30)));
    }

    @Test
    void sizesThatCannotBeAreRefused() {
        for (long bytes :
                new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 4096}) {
            GuardedUnsafe none =
                    GuardedUnsafe.map(bytes, GuardedUnsafe.FAR, AddressSpaceUnsafe.ANONYMOUS, -1);
            assertTrue(!none.isMapped(), bytes + " bytes");
        }
    }
}
