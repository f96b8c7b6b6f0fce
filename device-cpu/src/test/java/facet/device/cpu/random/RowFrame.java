package facet.device.cpu.random;

/** What stands before and after the statements of {@link RowGenerator}. */
final class RowFrame {
    private final Draw draw;
    private final int threads;
    private final int count;
    private final boolean meets;

    RowFrame(Draw draw, int threads, int count, boolean meets) {
        this.draw = draw;
        this.threads = threads;
        this.count = count;
        this.meets = meets;
    }

    String before() {
        StringBuilder text =
                new StringBuilder(
                        """
                        .version 8.0
                        .target sm_80
                        .address_size 64
                        .shared .align 4 .b32 cells[2048];
                        .shared .align 4 .b32 sums[8];
                        .shared .align 4 .b32 turns[8];
                        .visible .entry kernel(.param .u64 memory, .param .u32 seed) {
                        REGISTERS
                        .reg .b64 %near;
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
                        mul.wide.u32 %near, %thread, 4;
                        add.u64 %near, %near, %input;
                        setp.eq.u32 %true, %h, %h;
                        """
                                .replace("SPECIAL", Frame.special())
                                .replace("REGISTERS", draw.registers())
                                .replace("THREADS", "" + threads)
                                .replace("DENSE", "" + (KernelGenerator.OWN + 32 * count))
                                .replace("TABLE", "" + KernelGenerator.TABLE)
                                .replace("OWN", "" + KernelGenerator.OWN));
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
            text.append(
                    "mad.lo.u32 %u"
                            + i
                            + ", %s3, "
                            + draw.below(1000)
                            + ", "
                            + draw.below(1000)
                            + ";\n");
            text.append("mov.u32 %x" + i + ", " + draw.below(300) + ";\n");
            text.append(
                    "mad.lo.u32 %a" + i + ", %thread, " + (i + 1) + ", " + draw.below(50) + ";\n");
        }
        for (int i = 0; i < 3; i++) {
            text.append("cvt.rn.f32.s32 %f" + i + ", %a" + i + ";\n");
            text.append("cvt.u64.u32 %w" + i + ", %x" + i + ";\n");
        }
        text.append("mov.f64 %d0, 0d3FF0000000000000;\nmov.f64 %d1, %d0;\n");
        text.append(Narrow.before());
        if (meets) {
            shared(text);
        }
        return text.toString();
    }

    /** Clears a cell of each thread in all planes, and behind the last thread as many again. */
    private void shared(StringBuilder text) {
        text.append("mov.u32 %cell, cells;\nmad.lo.u32 %cell, %thread, 4, %cell;\n");
        text.append("st.shared.u32 [%cell+" + 4 * threads + "], 0;\n");
        for (int plane = 0; plane < KernelGenerator.PLANES; plane++) {
            text.append("st.shared.u32 [%cell+" + plane * KernelGenerator.PLANE_BYTES + "], 0;\n");
        }
        for (int i = 0; i < 8; i++) {
            text.append("st.shared.u32 [sums+" + 4 * i + "], 0;\n");
            text.append("st.shared.u32 [turns+" + 4 * i + "], 0;\n");
        }
        text.append("bar.sync 0;\n");
    }

    String after() {
        StringBuilder text = new StringBuilder("end:\n").append("mov.u32 %h, 17;\n");
        for (int i = 0; i < draw.variables; i++) {
            text.append("mad.lo.u32 %h, %h, 31, %v" + i + ";\n");
        }
        for (int i = 0; i < 4; i++) {
            text.append(
                    "mad.lo.u32 %h, %h, 31, %u" + i + ";\nmad.lo.u32 %h, %h, 31, %x" + i + ";\n");
            text.append("mad.lo.u32 %h, %h, 31, %a" + i + ";\n");
        }
        for (int i = 0; i < 3; i++) {
            text.append("mov.b32 %t0, %f" + i + ";\nmad.lo.u32 %h, %h, 31, %t0;\n");
        }
        return text.append(Narrow.after())
                .append("st.global.u32 [%own], %h;\n")
                .append(
                        """
                        cvt.u32.u64 %t0, %w0;
                        st.global.u32 [%own+4], %t0;
                        st.global.f64 [%own+8], %d0;
                        ret;
                        }
                        """)
                .toString();
    }
}
