package facet.bench;

import java.util.Random;

/**
 * Straight-line kernels of a given length, another for each seed: arithmetic of integers and
 * floats, loads, stores, and branches that skip a few instructions. A thread reads its 64 floats of
 * {@code in} and writes its 64 floats of {@code out}; blocks do the same work.
 */
final class SyntheticPtx {
    static final int FLOATS_PER_THREAD = 64;

    private static final int REGISTERS = 16;

    private final StringBuilder text = new StringBuilder();
    private final Random random;
    private final int instructions;
    private int count;
    private int labels;
    private int skipEnd = -1;

    private SyntheticPtx(long seed, int instructions) {
        this.random = new Random(seed);
        this.instructions = instructions;
    }

    /** A module with the kernel {@code synthetic(in, out)}. */
    static String of(long seed, int instructions) {
        return new SyntheticPtx(seed, instructions).write();
    }

    private String write() {
        text.append(
                """
                .version 8.0
                .target sm_75
                .address_size 64
                .visible .entry synthetic(.param .u64 in, .param .u64 out)
                {
                .reg .pred %p<2>;
                .reg .f32 %f<16>;
                .reg .b32 %r<16>;
                .reg .b64 %rd<8>;
                """);
        emit("ld.param.u64 %rd1, [in]");
        emit("ld.param.u64 %rd2, [out]");
        emit("cvta.to.global.u64 %rd3, %rd1");
        emit("cvta.to.global.u64 %rd4, %rd2");
        emit("mov.u32 %r0, %tid.x");
        emit("mul.wide.u32 %rd5, %r0, " + 4 * FLOATS_PER_THREAD);
        emit("add.s64 %rd6, %rd3, %rd5");
        emit("add.s64 %rd7, %rd4, %rd5");
        for (int i = 0; i < REGISTERS; i++) {
            emit("ld.global.f32 %f" + i + ", [%rd6+" + 4 * i + "]");
            if (i > 0) {
                emit(
                        "mad.lo.s32 %r"
                                + i
                                + ", %r0, "
                                + (2 * i + 1)
                                + ", "
                                + random.nextInt(1 << 20));
            }
        }
        while (count < instructions - 1) {
            if (count == skipEnd) {
                text.append("L").append(labels++).append(":\n");
            }
            body();
        }
        if (skipEnd >= count) {
            text.append("L").append(labels).append(":\n");
        }
        emit("ret");
        return text.append("}\n").toString();
    }

    /**
     * Multiplies by constants only and adds seldom, so that no value leaves the range of a float.
     */
    private void body() {
        int kind = random.nextInt(20);
        switch (kind) {
            case 0, 1, 2 -> emit("ld.global.f32 %s, [%%rd6+%d]".formatted(f(), offset()));
            case 3, 4, 5 -> emit("st.global.f32 [%%rd7+%d], %s".formatted(offset(), f()));
            case 6 -> emit("add.f32 %s, %s, %s".formatted(f(), f(), f()));
            case 7, 8, 9 -> emit("fma.rn.f32 %s, %s, 0f3F000000, 0f3E800000".formatted(f(), f()));
            case 10 -> emit("min.f32 %s, %s, %s".formatted(f(), f(), f()));
            case 11 -> emit("mul.f32 %s, %s, 0f3F400000".formatted(f(), f()));
            case 12 -> emit("add.s32 %s, %s, %s".formatted(r(), r(), r()));
            case 13 -> emit("xor.b32 %s, %s, %s".formatted(r(), r(), r()));
            case 14 -> emit("mad.lo.s32 %s, %s, %d, %s".formatted(r(), r(), 3 + kind, r()));
            case 15 -> emit("shl.b32 %s, %s, %d".formatted(r(), r(), 1 + random.nextInt(7)));
            case 16 -> emit("shr.u32 %s, %s, %d".formatted(r(), r(), 1 + random.nextInt(7)));
            case 17 -> emit("cvt.rn.f32.s32 %s, %s".formatted(f(), r()));
            case 18 -> emit("sub.s32 %s, %s, %s".formatted(r(), r(), r()));
            default -> skip();
        }
    }

    private void skip() {
        if (skipEnd >= count || count > instructions - 12) {
            emit("and.b32 %s, %s, %s".formatted(r(), r(), r()));
            return;
        }
        emit("setp.lt.s32 %%p1, %s, %s".formatted(r(), r()));
        emit("@%p1 bra L" + labels);
        skipEnd = count + 2 + random.nextInt(6);
    }

    private void emit(String instruction) {
        text.append('\t').append(instruction).append(";\n");
        count++;
    }

    private String f() {
        return "%f" + random.nextInt(REGISTERS);
    }

    private String r() {
        return "%r" + random.nextInt(REGISTERS);
    }

    private int offset() {
        return 4 * random.nextInt(FLOATS_PER_THREAD);
    }
}
