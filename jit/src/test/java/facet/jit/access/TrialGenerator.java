package facet.jit.access;

import facet.jit.access.Access.Base;
import facet.jit.access.Trial.World;
import facet.jit.runtime.Windows;
import java.util.List;
import java.util.SplittableRandom;

/** Draws sizes, and registers with which some access of the kernel comes near an end of memory. */
final class TrialGenerator {
    private static final long[] FAR = {
        1L << 31, -(1L << 31), 1L << 32, -(1L << 32), Long.MIN_VALUE, 1L << 20, -(1L << 20)
    };

    /** Memory of other contexts is near, or where sums of 32 bits end. */
    private static final long[] GAPS = {1L << 20, 1L << 31, (1L << 32) - 256};

    private final AccessKernel kernel;
    private final SplittableRandom random;

    TrialGenerator(AccessKernel kernel, SplittableRandom random) {
        this.kernel = kernel;
        this.random = random;
    }

    Trial next() {
        Trial sizes =
                new Trial(
                        32L * (random.nextBoolean() ? random.nextInt(9) : random.nextInt(24, 65)),
                        2L * AccessKernel.VARIABLE + 32L * random.nextInt(48),
                        random.nextBoolean() ? 32L * random.nextInt(1, 9) : GAPS[random.nextInt(3)],
                        random.nextInt(3) == 0 ? 0 : 32 * random.nextInt(1, 33),
                        random.nextInt(4) > 0,
                        random.nextInt(400),
                        AccessKernel.VARIABLE + 32 * random.nextInt(6),
                        0,
                        new long[AccessKernel.REGISTERS]);
        if (!isPlace(sizes.peer(kernel))) {
            sizes = sizes.withoutPeer();
        }
        for (int i = 0; i < AccessKernel.REGISTERS; i++) {
            sizes.registers()[i] = register(i, sizes);
        }
        return sizes.withMask(mask(sizes));
    }

    /** Mostly threads that may do what they do, and now and then one more. */
    private int mask(Trial sizes) {
        if (kernel.parting() == Parting.NONE) {
            return 0;
        }
        int inside = new Checker(kernel, sizes, new byte[0]).inside();
        if (kernel.parting() == Parting.EDGE) {
            int first = Integer.numberOfTrailingZeros(~inside);
            return random.nextInt(4) > 0 ? first : random.nextInt(64);
        }
        int other = 1 << random.nextInt(kernel.threads());
        return switch (random.nextInt(8)) {
            case 0 -> inside | other;
            case 1 -> inside & ~other;
            case 2 -> random.nextInt();
            case 3 -> inside & random.nextInt();
            case 4 -> other;
            default -> inside;
        };
    }

    /** Where a context may be: no 32-bit address leads there, and no other memory is there. */
    private static boolean isPlace(long address) {
        return address >= Windows.SIZE
                && !(address > Windows.SHARED - (1 << 20) && address < Windows.CODE + Windows.SIZE);
    }

    private long register(int number, Trial sizes) {
        List<Access> users =
                kernel.accesses().stream()
                        .flatMap(each ->
                                each.source() == null
                                        ? java.util.stream.Stream.of(each)
                                        : java.util.stream.Stream.of(each, each.source()))
                        .filter(each -> each.register() == number)
                        .toList();
        if (users.isEmpty()) {
            return random.nextLong();
        }
        Access access = users.get(random.nextInt(users.size()));
        int thread =
                random.nextBoolean()
                        ? random.nextInt(kernel.threads())
                        : random.nextBoolean() ? 0 : kernel.threads() - 1;
        long target = target(access.where(), access.width(), sizes);
        // All of it wraps at 64 bits, as the kernel does.
        long value = target - access.offset() - kernel.strides().get(number) * thread;
        boolean narrow = access.base() instanceof Base.Narrow;
        return narrow && random.nextBoolean() ? value & 0xffff_ffffL : value;
    }

    private long target(Where where, int width, Trial sizes) {
        return switch (where) {
            case GLOBAL, CONST ->
                    sizes.peerBytes() > 0 && random.nextInt(3) == 0
                            ? near(sizes.peer(kernel), sizes.peerBytes(), width)
                            : random.nextBoolean()
                                    ? near(kernel.zone() - sizes.low(), sizes.low(), width)
                                    : near(kernel.zone() + World.ZONE_BYTES, sizes.high(), width);
            case SHARED -> near(0, sizes.sharedBytes(), width);
            case LOCAL -> near(0, sizes.localBytes(), width);
            case PARAM -> near(0, AccessKernel.PARAMETERS, width);
            case GENERIC ->
                    switch (random.nextInt(5)) {
                        case 0 -> Windows.SHARED + target(Where.SHARED, width, sizes);
                        case 1 -> Windows.LOCAL + target(Where.LOCAL, width, sizes);
                        case 2 -> Windows.PARAMETER + target(Where.PARAM, width, sizes);
                        default -> target(Where.GLOBAL, width, sizes);
                    };
        };
    }

    /** An address in or around {@code [start, start + bytes)}. */
    private long near(long start, long bytes, int width) {
        long inside = start + random.nextInt((int) bytes / 32 + 1) * 32L;
        long step = (long) random.nextInt(-6, 7) * width;
        return switch (random.nextInt(20)) {
            case 0 -> start + step;
            case 1 -> start + bytes + step;
            case 2 -> start + bytes - width;
            case 3 -> inside + random.nextInt(-33, 34);
            case 4 -> inside + step + FAR[random.nextInt(FAR.length)];
            case 5 -> random.nextInt(4) == 0 ? random.nextLong() : start;
            case 6, 7, 8, 9 -> inside + step;
            default -> inside;
        };
    }
}
