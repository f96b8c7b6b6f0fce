package facet.jit.access;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/**
 * One launch: sizes of memory, and what registers hold.
 *
 * @param low bytes of global memory before the zone of results
 * @param high bytes of it behind the zone
 * @param peerGap addresses from there to memory of another context
 * @param peerBytes of that memory; 0: there is none
 * @param peerWrites whether it may be written, too
 * @param mask for {@link Parting}
 */
record Trial(
        long low,
        long high,
        long peerGap,
        int peerBytes,
        boolean peerWrites,
        int dynamicShared,
        int localBytes,
        int mask,
        long[] registers) {

    Trial withoutPeer() {
        return new Trial(
                low, high, peerGap, 0, peerWrites, dynamicShared, localBytes, mask, registers);
    }

    Trial withMask(int other) {
        return new Trial(
                low,
                high,
                peerGap,
                peerBytes,
                peerWrites,
                dynamicShared,
                localBytes,
                other,
                registers);
    }

    /** Device address of the other context's memory. */
    long peer(AccessKernel kernel) {
        return kernel.zone() + World.ZONE_BYTES + high + peerGap;
    }

    /** Static variable and dynamic shared memory, which begins at a multiple of 32. */
    int sharedBytes() {
        return AccessKernel.VARIABLE + (dynamicShared + 31) / 32 * 32;
    }

    /**
     * The memory of all trials: what kernels may access, far enough apart, and a pattern between
     * that nobody may touch.
     */
    static final class World implements AutoCloseable {
        static final int BYTES = 36 << 10;
        static final int PARAMETERS_AT = 2 << 10;
        static final int SHARED_AT = 4 << 10;
        static final int LOCAL_AT = 8 << 10;
        static final int ZONE_AT = 20 << 10;
        static final int PEER_AT = 33 << 10;
        static final int ZONE_BYTES = 20 * AccessKernel.SLOT;

        private final Arena arena = Arena.ofConfined();
        private final MemorySegment memory = arena.allocate(BYTES, 4096);
        private final byte[] pattern = new byte[BYTES];

        World() {
            new SplittableRandom(7).nextBytes(pattern);
        }

        MemorySegment memory() {
            return memory;
        }

        /** All of it as it is before a launch with these arguments. */
        byte[] fresh(byte[] arguments) {
            byte[] bytes = pattern.clone();
            System.arraycopy(arguments, 0, bytes, PARAMETERS_AT, arguments.length);
            return bytes;
        }

        void fill(byte[] bytes) {
            MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, BYTES);
        }

        @Override
        public void close() {
            arena.close();
        }
    }
}
