package facet.jit.access;

import facet.jit.access.Access.Base;
import facet.jit.access.Access.Does;
import facet.jit.runtime.Lanes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Draws kernels. What they have in common is that every number is near a limit of something. */
@SuppressWarnings("EnumOrdinal") // any of the values will do
final class AccessGenerator {
    /** Numbers that arithmetic on addresses is wrong about. */
    private static final long[] EDGES = {
        1L << 20,
        -(1L << 20),
        1L << 31,
        -(1L << 31),
        1L << 32,
        -(1L << 32),
        1L << 47,
        Long.MIN_VALUE,
        Long.MAX_VALUE - 31,
        0xffff_ffffL
    };

    private static final long[] ZONES = {
        0x7000_0000_0000L,
        0x1_0000_0000L,
        0xc000_0000L,
        0x7fff_ffff_0000L,
        0x5fff_ffff_f000L,
        0x7f_ffff_f000L
    };

    /** More would not fit into the zone, beside the result of the filling. */
    private static final int MOST_RESULTS = 18;

    private final SplittableRandom random;
    private final boolean alone;

    /** Whether threads access elements side by side, as vector code does at once. */
    private final boolean inRows;

    private final Does only;
    private final int reduced;

    private AccessGenerator(SplittableRandom random) {
        this.random = random;
        alone = random.nextInt(4) == 0;
        inRows = !alone && random.nextInt(3) > 0;
        only = Does.values()[random.nextInt(3)];
        reduced = random.nextBoolean() ? 32 : 64;
    }

    static AccessKernel generate(SplittableRandom random) {
        return new AccessGenerator(random).kernel();
    }

    private long one(long... of) {
        return of[random.nextInt(of.length)];
    }

    private AccessKernel kernel() {
        long zone = one(ZONES);
        List<Access> accesses = new ArrayList<>();
        int count = 1 + random.nextInt(5);
        int results = 0;
        // Like accesses by one register become a group, which is checked as a whole.
        boolean alike = random.nextInt(3) > 0;
        Access first = access(zone);
        for (int i = 0; i < count; i++) {
            Access next =
                    i == 0
                            ? first
                            : alike && first.register() >= 0
                                    ? withOffset(first, offset(first.width()))
                                    : access(zone);
            results += next.hasResult() ? next.lanes() : 0;
            if (results > MOST_RESULTS) {
                break;
            }
            accesses.add(next);
        }
        int threads = alone ? 1 : 2 * Lanes.COUNT;
        List<Long> strides =
                List.of(stride(first.width()), stride(first.width()), stride(first.width()));
        Parting parting =
                random.nextInt(3) == 0
                        ? Parting.NONE
                        : Parting.values()[random.nextInt(Parting.values().length)];
        return new AccessKernel(
                List.copyOf(accesses), zone, strides, threads, parting, 1 + random.nextInt(255));
    }

    private static Access withOffset(Access access, long offset) {
        return new Access(
                access.does(),
                access.where(),
                access.bits(),
                access.lanes(),
                access.strong(),
                access.base(),
                offset,
                access.source());
    }

    private long stride(int width) {
        if (inRows && random.nextInt(8) > 0) {
            return width;
        }
        return switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> 4;
            case 4, 5 -> width;
            case 6, 7 -> 0;
            case 8 -> one(8, 16, 32, 12, -4, -width);
            default -> one(1, -1, 2, 1L << 31, 1L << 32, Long.MIN_VALUE, 1L << 40);
        };
    }

    private long offset(int width) {
        return switch (random.nextInt(10)) {
            case 0, 1, 2, 3, 4 -> (long) random.nextInt(-8, 9) * width;
            case 5 -> 0;
            case 6, 7, 8 -> one(EDGES) + (long) random.nextInt(-3, 4) * width;
            default -> random.nextInt(-70, 71);
        };
    }

    /** Mostly in it: what lies outside for all threads ends every launch of the kernel. */
    private long aroundVariable(int width) {
        long size = AccessKernel.VARIABLE;
        return switch (random.nextInt(8)) {
            case 0 -> offset(width);
            case 1 -> one(size, size - width + 1, size - 1, -1, -width, size + width);
            // With its width it is no number any more, and aligned.
            case 2 -> Long.MAX_VALUE - width + 1;
            default -> (long) random.nextInt((int) size / width) * width;
        };
    }

    private Does does() {
        return alone ? Does.values()[random.nextInt(Does.values().length)] : only;
    }

    private Access access(long zone) {
        Does does = does();
        if (inRows && does != Does.REDUCE) {
            return inRow(does);
        }
        boolean atomic = does == Does.REDUCE || does == Does.ADD || does == Does.EXCHANGE;
        Where where =
                does == Does.COPY
                        ? Where.SHARED
                        : atomic
                                ? pick(Where.GLOBAL, Where.SHARED, Where.GENERIC)
                                : pick(Where.values());
        while (does == Does.STORE && !where.isWritable()) {
            where = pick(Where.values());
        }
        int bits = does == Does.REDUCE && !alone ? reduced : (int) one(32, 32, 64);
        int lanes = 1;
        if (does == Does.COPY) {
            bits = 32;
            lanes = (int) one(1, 2, 4);
        } else if (!atomic) {
            bits = (int) one(8, 16, 32, 32, 32, 64);
            lanes = (int) one(1, 1, 1, 2, 4, bits == 32 ? 8 : 1);
        }
        boolean strong =
                !atomic
                        && (where == Where.GLOBAL
                                || where == Where.SHARED
                                || where == Where.GENERIC)
                        && random.nextInt(4) == 0
                        && does != Does.COPY;
        int width = bits / 8 * lanes;
        Access source = null;
        if (does == Does.COPY) {
            Base base = new Base.Wide(1 + random.nextInt(2));
            source = new Access(does, Where.GLOBAL, bits, lanes, false, base, offset(width), null);
        }
        Base base = base(where);
        long offset = base instanceof Base.None ? absolute(zone, where) : offset(width);
        if (base instanceof Base.Symbol) {
            offset = aroundVariable(width);
        }
        return new Access(does, where, bits, lanes, strong, base, offset, source);
    }

    private Access inRow(Does does) {
        Where where = does == Does.STORE ? Where.GLOBAL : pick(Where.GLOBAL, Where.CONST);
        Base base = new Base.Wide(random.nextInt(AccessKernel.REGISTERS));
        if (random.nextInt(3) == 0) {
            where = Where.SHARED;
            base = random.nextBoolean() ? base : new Base.Narrow(0);
        }
        int bits = (int) one(8, 16, 32, 64);
        int lanes = (int) one(1, 1, 1, 2, bits == 64 ? 2 : 4);
        return new Access(does, where, bits, lanes, false, base, offset(bits / 8 * lanes), null);
    }

    private Where pick(Where... of) {
        return of[random.nextInt(of.length)];
    }

    private Base base(Where where) {
        int register = random.nextInt(AccessKernel.REGISTERS);
        boolean narrow = where != Where.GLOBAL && where != Where.GENERIC;
        if (where == Where.PARAM && random.nextBoolean()) {
            return symbol(where);
        }
        return switch (random.nextInt(9)) {
            case 0, 1 -> where == Where.GENERIC ? new Base.Wide(register) : symbol(where);
            case 2 -> random.nextInt(3) == 0 ? new Base.None() : new Base.Wide(register);
            case 3, 4 -> narrow ? new Base.Narrow(register) : new Base.Wide(register);
            default -> new Base.Wide(register);
        };
    }

    private Base symbol(Where where) {
        return new Base.Symbol(
                where == Where.SHARED && random.nextBoolean() ? "dyn" : where.variable());
    }

    /** An address that is written as a number. */
    private long absolute(long zone, Where where) {
        boolean small = where != Where.GLOBAL && where != Where.CONST && where != Where.GENERIC;
        return (small ? 0 : zone) + (long) random.nextInt(-8, 9) * 32;
    }
}
