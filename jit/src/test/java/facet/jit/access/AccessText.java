package facet.jit.access;

import facet.jit.access.Access.Base;

/** Writes an {@link AccessKernel} as PTX. */
final class AccessText {
    /** Makes vector code worth its while. */
    private static final String FILLING =
            """
            mov.f32 %z, 0f3F800000;
            mov.u32 %n, 0;
            OUTER: mov.u32 %m, 0;
            INNER: fma.rn.f32 %z, %z, %z, %z;
            fma.rn.f32 %z, %z, %z, %z; fma.rn.f32 %z, %z, %z, %z; fma.rn.f32 %z, %z, %z, %z;
            fma.rn.f32 %z, %z, %z, %z; fma.rn.f32 %z, %z, %z, %z; fma.rn.f32 %z, %z, %z, %z;
            add.u32 %m, %m, 1; setp.lt.u32 %more, %m, 2; @%more bra INNER;
            add.u32 %n, %n, 1; setp.lt.u32 %more, %n, 2; @%more bra OUTER;
            """;

    private final AccessKernel kernel;
    private final StringBuilder text = new StringBuilder();
    private int results;

    private AccessText(AccessKernel kernel) {
        this.kernel = kernel;
    }

    static String of(AccessKernel kernel) {
        return new AccessText(kernel).write();
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is of a library that is not here
    private void line(String format, Object... arguments) {
        text.append(format.formatted(arguments)).append('\n');
    }

    private String write() {
        line(".version 8.8\n.target sm_100\n.address_size 64");
        line(".global .align 32 .b8 gv[64];\n.const .align 32 .b8 cv[64];");
        line(".extern .shared .align 32 .b8 dyn[];");
        line(".visible .entry k(.param .u64 out, .param .u64 a0, .param .u64 a1, .param .u64 a2,");
        line("    .param .align 32 .b8 blob[64], .param .u32 mask)\n{");
        line(
                ".reg .b64 %%out; .reg .b64 %%out4; .reg .b64 %%out8; .reg .b64 %%w<5>; .reg .b64 %%c;");
        line(".reg .b64 %%a<3>; .reg .b32 %%b<3>; .reg .b32 %%t; .reg .b32 %%n; .reg .b32 %%m;");
        line(".reg .f32 %%z; .reg .pred %%more; .reg .b32 %%r<64>; .reg .b64 %%q<64>;");
        line(".reg .b32 %%v; .reg .b64 %%u; .reg .b32 %%mask; .reg .b32 %%k; .reg .b32 %%j;");
        line(".reg .pred %%on; .reg .b64 %%p<3>; .reg .b64 %%x<3>; .reg .b32 %%l<3>;");
        line(".shared .align 32 .b8 sv[64]; .local .align 32 .b8 lv[64];");
        // Both are named first, so that they lie at the start of their space.
        line("mov.u64 %%c, sv; mov.u64 %%c, lv;");
        line("ld.param.u64 %%out, [out]; mov.u32 %%t, %%tid.x;");
        line("mul.wide.u32 %%w3, %%t, 4; add.s64 %%out4, %%out, %%w3;");
        line("mul.wide.u32 %%w4, %%t, 8; add.s64 %%out8, %%out, %%w4;");
        line("mov.u32 %%v, %d; mov.u64 %%u, %d;", kernel.pattern(32), kernel.pattern(64));
        for (int i = 0; i < AccessKernel.REGISTERS; i++) {
            register(i);
        }
        text.append(FILLING);
        before();
        kernel.accesses().forEach(this::access);
        after();
        results = 0;
        kernel.accesses().forEach(this::keep);
        line("st.global.f32 [%%out4+%d], %%z;", kernel.slots() * AccessKernel.SLOT);
        line("ret;\n}");
        return text.toString();
    }

    /** Results of threads that do nothing are zero. */
    private void before() {
        if (kernel.parting() == Parting.NONE) {
            return;
        }
        for (Access access : kernel.accesses()) {
            for (int lane = 0; access.hasResult() && lane < access.lanes(); lane++) {
                String register = stem(access.bits()) + results++;
                line("mov.b%d %s, 0;", access.bits() == 64 ? 64 : 32, register);
            }
        }
        results = 0;
        line("ld.param.u32 %%mask, [mask];");
        if (kernel.parting() == Parting.EDGE) {
            line("and.b32 %%mask, %%mask, 63; setp.lt.u32 %%on, %%t, %%mask;");
        } else {
            line("shr.b32 %%k, %%mask, %%t; and.b32 %%k, %%k, 1; setp.ne.u32 %%on, %%k, 0;");
        }
        switch (kernel.parting()) {
            case NONE, GUARD -> {}
            case BRANCH, EDGE -> line("@!%%on bra OFF;");
            case LOOP -> {
                line("add.u32 %%k, %%k, %%k; mov.u32 %%j, 0;");
                line("AGAIN: setp.ge.u32 %%on, %%j, %%k; @%%on bra OFF;");
            }
        }
    }

    private void after() {
        switch (kernel.parting()) {
            case NONE, GUARD -> {}
            case BRANCH, EDGE -> line("OFF:");
            case LOOP -> line("add.u32 %%j, %%j, 1; bra AGAIN;\nOFF:");
        }
    }

    /** Each register is written once, so that what differs by a stride is seen to do so. */
    private void register(int i) {
        long stride = kernel.strides().get(i);
        line("ld.param.u64 %%p%d, [a%d];", i, i);
        if (stride == (int) stride && stride >= 0) {
            line("mul.wide.u32 %%w%d, %%t, %d;", i, stride);
        } else {
            line("cvt.u64.u32 %%x%d, %%t; mul.lo.s64 %%w%d, %%x%d, %d;", i, i, i, stride);
        }
        line("cvt.u32.u64 %%l%d, %%p%d;", i, i);
        line("add.s64 %%a%d, %%p%d, %%w%d;", i, i, i);
        line("mad.lo.u32 %%b%d, %%t, %d, %%l%d;", i, (int) stride, i);
    }

    private static String address(Access access) {
        String base =
                switch (access.base()) {
                    case Base.Wide wide -> "%a" + wide.register();
                    case Base.Narrow narrow -> "%b" + narrow.register();
                    case Base.Symbol symbol -> symbol.name();
                    case Base.None _ -> "";
                };
        return base.isEmpty()
                ? "[" + access.offset() + "]"
                : "[" + base + (access.offset() < 0 ? "" : "+") + access.offset() + "]";
    }

    private static String stem(int bits) {
        return bits == 64 ? "%q" : "%r";
    }

    private void access(Access access) {
        if (kernel.parting() == Parting.GUARD) {
            text.append("@%on ");
        }
        String strong = access.strong() ? ".volatile" : "";
        String vector = access.lanes() == 1 ? "" : ".v" + access.lanes();
        String suffixes = access.where().suffix() + vector;
        int bits = access.bits();
        String value = bits == 64 ? "%u" : "%v";
        switch (access.does()) {
            case LOAD ->
                    line(
                            "ld%s%s.u%d %s, %s;",
                            strong, suffixes, bits, registers(access), address(access));
            case STORE ->
                    line(
                            "st%s%s.b%d %s, %s;",
                            strong, suffixes, bits, address(access), values(access, value));
            case REDUCE -> line("red%s.add.u%d %s, %s;", suffixes, bits, address(access), value);
            case ADD ->
                    line(
                            "atom%s.add.u%d %s, %s, %s;",
                            suffixes, bits, registers(access), address(access), value);
            case EXCHANGE ->
                    line(
                            "atom%s.exch.b%d %s, %s, %s;",
                            suffixes, bits, registers(access), address(access), value);
            case COPY ->
                    line(
                            "cp.async.ca.shared.global %s, %s, %d;",
                            address(access),
                            address(java.util.Objects.requireNonNull(access.source())),
                            access.width());
        }
    }

    private String registers(Access access) {
        StringBuilder names = new StringBuilder();
        for (int lane = 0; lane < access.lanes(); lane++) {
            names.append(lane == 0 ? "" : ", ").append(stem(access.bits())).append(results++);
        }
        return access.lanes() == 1 ? names.toString() : "{" + names + "}";
    }

    private static String values(Access access, String value) {
        if (access.lanes() == 1) {
            return value;
        }
        return "{" + String.join(", ", java.util.Collections.nCopies(access.lanes(), value)) + "}";
    }

    /** Stores what was read, each result of all threads together. */
    private void keep(Access access) {
        for (int lane = 0; access.hasResult() && lane < access.lanes(); lane++, results++) {
            boolean wide = access.bits() == 64;
            line(
                    "st.global.b%d [%%out%d+%d], %s%d;",
                    wide ? 64 : 32,
                    wide ? 8 : 4,
                    results * AccessKernel.SLOT,
                    stem(access.bits()),
                    results);
        }
    }
}
