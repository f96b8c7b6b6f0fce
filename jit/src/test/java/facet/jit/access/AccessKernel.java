package facet.jit.access;

import java.util.List;

/**
 * A kernel: some accesses by up to three registers, each of which the launch sets.
 *
 * @param zone device address of the memory where it leaves what it has read
 * @param strides what is added to a register for each thread
 * @param threads of its only block, at most 32
 * @param parting which of them do the accesses
 * @param value what stores write into each byte
 */
record AccessKernel(
        List<Access> accesses,
        long zone,
        List<Long> strides,
        int threads,
        Parting parting,
        int value) {

    static final int REGISTERS = 3;

    /** Bytes of {@code gv}, {@code cv}, {@code sv}, {@code lv} and {@code blob}. */
    static final int VARIABLE = 64;

    /** Where a result of all threads begins behind the one before it. */
    static final int SLOT = 256;

    /** Arguments: {@code out}, the registers, {@code blob}, {@code mask}. */
    static final int BLOB = 32;

    static final int MASK = BLOB + VARIABLE;

    static final int PARAMETERS = MASK + 32;

    /** Results that it leaves in the zone. */
    int slots() {
        return accesses.stream().filter(Access::hasResult).mapToInt(Access::lanes).sum();
    }

    /** A value of so many bits for stores, the same in each byte, whatever the order of threads. */
    long pattern(int bits) {
        long all = value * 0x0101_0101_0101_0101L;
        return bits == 64 ? all : all & (1L << bits) - 1;
    }
}
