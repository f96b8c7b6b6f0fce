package facet.device.cpu.random;

/** What stands before and after the statements of a random kernel. */
final class Frame {
    private final Draw draw;
    private final Calls calls;
    private final int threads;
    private final int count;
    private final boolean meets;

    Frame(Draw draw, Calls calls, int threads, int count, boolean meets) {
        this.count = count;
        this.meets = meets;
        this.calls = calls;
        this.draw = draw;
        this.threads = threads;
    }

    String before() {
        StringBuilder text =
                new StringBuilder(
                        """
                        .version 8.0
                        .target sm_80
                        .address_size 64
                        .shared .align 4 .b32 cells[CELLS];
                        .shared .align 4 .b32 sums[8];
                        .shared .align 4 .b32 turns[8];
                        .shared .align 4 .b32 lock;
                        FUNCTIONS
                        .visible .entry kernel(.param .u64 memory, .param .u32 seed) {
                        REGISTERS
                        .local .align 8 .b32 scratch[16];
                        ld.param.u64 %memory, [memory];
                        SPECIALmad.lo.u32 %thread, %s1, %s2, %s0;
                        mad.lo.u32 %h, %s3, THREADS, %thread;
                        mul.wide.u32 %own, %h, 32;
                        add.u64 %own, %own, %memory;
                        add.u64 %own, %own, OWN;
                        mul.wide.u32 %dense, %h, 4;
                        add.u64 %dense, %dense, %memory;
                        add.u64 %dense, %dense, DENSE;
                        add.u64 %input, %memory, TABLE;
                        mov.u32 %cell, cells;
                        mad.lo.u32 %cell, %thread, 4, %cell;
                        setp.eq.u32 %true, %h, %h;
                        """
                                .replace(
                                        "CELLS",
                                        ""
                                                + KernelGenerator.PLANES
                                                        * KernelGenerator.PLANE_BYTES
                                                        / 4)
                                .replace("SPECIAL", special())
                                .replace("FUNCTIONS", calls.functions(threads))
                                .replace("REGISTERS", draw.registers())
                                .replace("THREADS", "" + threads)
                                .replace("DENSE", "" + (KernelGenerator.OWN + 32 * count))
                                .replace("TABLE", "" + KernelGenerator.TABLE)
                                .replace("OWN", "" + KernelGenerator.OWN));
        values(text);
        text.append(Narrow.before());
        if (meets) {
            shared(text);
        }
        return text.toString();
    }

    static String special() {
        String[] names = {"%tid.x", "%tid.y", "%ntid.x", "%ctaid.x", "%nctaid.x", "%lanemask_lt"};
        StringBuilder text = new StringBuilder("mov.u32 %lane, %laneid;\n");
        for (int i = 0; i < names.length; i++) {
            text.append("mov.u32 %s" + i + ", " + names[i] + ";\n");
        }
        return text.toString();
    }

    private void values(StringBuilder text) {
        for (int i = 0; i < draw.variables; i++) {
            text.append(
                    "mad.lo.u32 %v"
                            + i
                            + ", %h, "
                            + draw.below(1 << 30)
                            + ", "
                            + draw.below(1 << 30)
                            + ";\n");
        }
        for (int i = 0; i < 4; i++) {
            text.append("ld.param.u32 %u" + i + ", [seed];\n");
            text.append("mad.lo.u32 %u" + i + ", %s3, " + draw.below(1000) + ", %u" + i + ";\n");
            text.append("mov.u32 %x" + i + ", " + draw.below(300) + ";\n");
            text.append(
                    "mad.lo.u32 %a" + i + ", %thread, " + (i + 1) + ", " + draw.below(50) + ";\n");
        }
        for (int i = 0; i < 3; i++) {
            text.append("cvt.u64.u32 %w" + i + ", %v" + i + ";\n");
            text.append("mov.f32 %f" + i + ", 0f3F800000;\n");
        }
        text.append("cvt.rn.f64.u32 %d0, %v1;\nmov.f64 %d1, 0d3FF0000000000000;\n");
        for (int i = 0; i < 16; i++) {
            text.append("st.local.u32 [scratch+" + 4 * i + "], %v" + i % draw.variables + ";\n");
        }
    }

    private void shared(StringBuilder text) {
        for (int plane = 0; plane < KernelGenerator.PLANES; plane++) {
            text.append("st.shared.u32 [%cell+" + plane * KernelGenerator.PLANE_BYTES + "], 0;\n");
        }
        text.append("setp.ne.u32 %p0, %thread, 0;\n@%p0 bra ready;\nst.shared.u32 [lock], 0;\n");
        for (int i = 0; i < 8; i++) {
            text.append("st.shared.u32 [sums+" + 4 * i + "], " + Sharing.START[i] + ";\n");
            text.append("st.shared.u32 [turns+" + 4 * i + "], 0;\n");
        }
        text.append("ready:\nbar.sync 0;\n");
    }

    /** Hashes all registers and the sums of the block. */
    String after() {
        StringBuilder text = new StringBuilder(meets ? "bar.sync 0;\n" : "end:\n");
        text.append("mov.u32 %h, 17;\n");
        for (int i = 0; i < draw.variables; i++) {
            text.append("mad.lo.u32 %h, %h, 31, %v" + i + ";\n");
        }
        for (int i = 0; i < 4; i++) {
            text.append("mad.lo.u32 %h, %h, 31, %u" + i + ";\n");
            text.append("mad.lo.u32 %h, %h, 31, %x" + i + ";\n");
            text.append("mad.lo.u32 %h, %h, 31, %a" + i + ";\n");
        }
        for (int i = 0; i < 3; i++) {
            text.append("cvt.u32.u64 %t0, %w" + i + ";\nmad.lo.u32 %h, %h, 31, %t0;\n");
            text.append(
                    "shr.u64 %l0, %w"
                            + i
                            + ", 32;\ncvt.u32.u64 %t0, %l0;\nmad.lo.u32 %h, %h, 31, %t0;\n");
            text.append("mov.b32 %t0, %f" + i + ";\nmad.lo.u32 %h, %h, 31, %t0;\n");
        }
        for (int i = 0; i < 2; i++) {
            text.append(
                    "mov.b64 %l0, %d"
                            + i
                            + ";\ncvt.u32.u64 %t0, %l0;\nmad.lo.u32 %h, %h, 31, %t0;\n");
        }
        for (int i = 0; i < 8 && meets; i++) {
            text.append("ld.shared.u32 %t0, [sums+" + 4 * i + "];\nmad.lo.u32 %h, %h, 31, %t0;\n");
        }
        return text.append(Narrow.after())
                .append("st.global.u32 [%own], %h;\nret;\n}\n")
                .toString();
    }
}
