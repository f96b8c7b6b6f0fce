package facet.jit;

/** Texts that are as unpleasant for a compiler as their length allows. */
enum HostileText {
    LABELS(2_000) {
        @Override
        void write(StringBuilder text, int n) {
            text.append(kernel("k"));
            for (int i = 0; i < n; i++) {
                text.append("L%d: ld.global.u32 %%r0, [%%rd0];".formatted(i));
                text.append(" setp.eq.u32 %%p, %%r0, %d;".formatted(i % 9));
                text.append(" @%%p bra L%d;%n".formatted(n - 1 - i));
            }
            text.append(END);
        }
    },
    SPINNING_LABELS(2_000) {
        @Override
        void write(StringBuilder text, int n) {
            text.append(kernel("k"));
            for (int i = 0; i < n; i++) {
                text.append("L%d: ld.volatile.global.u32 %%r0, [%%rd0];".formatted(i));
                text.append(" setp.eq.u32 %%p, %%r0, %d;".formatted(i % 9));
                text.append(" @%%p bra L%d;%n".formatted(i / 2));
            }
            text.append(END);
        }
    },
    /** Loops in loops that each might have a way around a barrier. */
    WATCHING_LABELS(2_000) {
        @Override
        void write(StringBuilder text, int n) {
            text.append(kernel("k")).append(".shared .u32 s;\n");
            for (int i = 0; i < n; i++) {
                text.append("L%d: ld.volatile.shared.u32 %%r0, [s];".formatted(i));
                text.append(" setp.eq.u32 %%p, %%r0, %d;".formatted(i % 9));
                text.append(" @%%p bra L%d;%n".formatted(i / 2));
            }
            text.append("bar.sync 0; @%p bra L0;").append(END);
        }
    },
    KERNELS(3_000) {
        @Override
        void write(StringBuilder text, int n) {
            for (int i = 0; i < n; i++) {
                text.append(kernel("k" + i)).append("st.global.u32 [%rd0], 1;").append(END);
            }
        }
    },
    REGISTERS(4_000) {
        @Override
        void write(StringBuilder text, int n) {
            text.append(kernel("k")).append(".reg .b32 %%v<%d>;%n".formatted(n));
            for (int i = 0; i < n; i++) {
                text.append("ld.global.u32 %%v%d, [%%rd0+%d];%n".formatted(i, 4 * i));
            }
            for (int i = 0; i < n; i++) {
                text.append("st.global.u32 [%%rd0+%d], %%v%d;%n".formatted(4 * i, n - 1 - i));
            }
            text.append(END);
        }
    },
    CHAIN_OF_CALLS(1_000) {
        @Override
        void write(StringBuilder text, int n) {
            text.append(".func f0() { ret; }\n");
            for (int i = 1; i < n; i++) {
                text.append(".func f%d() { call.uni f%d; ret; }%n".formatted(i, i - 1));
            }
            text.append(kernel("k")).append("call.uni f%d;".formatted(n - 1)).append(END);
        }
    },
    STRAIGHT(10_000) {
        @Override
        void write(StringBuilder text, int n) {
            text.append(kernel("k"));
            for (int i = 0; i < n; i++) {
                text.append("add.u32 %%r%d, %%r%d, %d;%n".formatted(i % 4, (i + 1) % 4, i % 99));
            }
            text.append("st.global.u32 [%rd0], %r0;").append(END);
        }
    },
    BARRIERS(600) {
        @Override
        void write(StringBuilder text, int n) {
            text.append(kernel("k")).append("add.u32 %r0, %r1, 1; bar.sync 0;\n".repeat(n));
            text.append("st.global.u32 [%rd0], %r0;").append(END);
        }
    },
    CALLS(2_000) {
        @Override
        void write(StringBuilder text, int n) {
            text.append(".func f() { ret; }\n").append(kernel("k"));
            text.append("call.uni f;\n".repeat(n)).append(END);
        }
    },
    VARIABLES(5_000) {
        @Override
        void write(StringBuilder text, int n) {
            for (int i = 0; i < n; i++) {
                text.append(".global .u32 v%d = %d;%n".formatted(i, i));
                text.append(".shared .u32 s%d;%n".formatted(i));
            }
            text.append(kernel("k")).append("ld.global.u32 %r0, [v0];").append(END);
        }
    },
    SINGLE_NAMES_AND_RANGES(5_000) {
        @Override
        void write(StringBuilder text, int n) {
            text.append(kernel("k"));
            for (int i = 0; i < n; i++) {
                text.append(".reg .b32 a%1$dx; .reg .b32 b%1$dx<2>;%n".formatted(i));
            }
            text.append(END);
        }
    },
    SCOPES(2_000) {
        @Override
        void write(StringBuilder text, int n) {
            text.append(kernel("k"));
            text.append("{ .reg .b32 %q; L: mov.u32 %q, 1; @%p bra L; }\n".repeat(n)).append(END);
        }
    };

    static final String HEAD = ".version 8.0\n.target sm_75\n.address_size 64\n";
    private static final String END = "\nret; }\n";

    /** So many things that a gate can afford it; twice as many are tried too. */
    final int size;

    HostileText(int size) {
        this.size = size;
    }

    abstract void write(StringBuilder text, int n);

    String of(int n) {
        StringBuilder text = new StringBuilder(HEAD);
        write(text, n);
        return text.toString();
    }

    private static String kernel(String name) {
        return ".visible .entry "
                + name
                + "(.param .u64 a)\n{ .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %rd<2>;"
                + " ld.param.u64 %rd0, [a];\n";
    }
}
