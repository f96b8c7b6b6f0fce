package facet.device.cpu.random;

/** Device functions, and calls of them. */
final class Calls {
    private final Draw draw;
    private final Straight straight;
    private final boolean exits;
    private final boolean meets;

    Calls(Draw draw, Straight straight, boolean exits, boolean meets) {
        this.meets = meets;
        this.draw = draw;
        this.straight = straight;
        this.exits = exits;
    }

    Node.Group statement(Place place) {
        String mask = place.mask();
        int kinds = place.uniform() ? 8 : mask != null ? 6 : 4;
        return switch (draw.below(kinds)) {
            case 0 -> call("pure", draw.operand(), draw.chance(2));
            case 1 -> call("recursive", draw.operand(), draw.chance(2));
            case 2 -> call(meets ? "locking" : "recursive", draw.operand(), false);
            case 3 -> call(exits ? "leaving" : "pure", draw.variable(), draw.chance(2));
            case 4, 5 -> call("shuffling", String.valueOf(mask), false);
            case 6 -> call("meeting", draw.operand(), false);
            default -> call("nested", draw.operand(), false);
        };
    }

    private Node.Group call(String name, String second, boolean guarded) {
        Node.Group group = Node.Group.of();
        String guard = guarded ? "@" + straight.condition(group, 1) + " " : "";
        String value = draw.temporary();
        group.add("mov.b32 " + value + ", " + second + ";");
        String into = draw.variable();
        return group.add(
                "{",
                ".param .b32 result, first, second;".replace(", ", "; .param .b32 "),
                "st.param.b32 [first], " + draw.variable() + ";",
                "st.param.b32 [second], " + value + ";",
                "st.param.b32 [result], 7;",
                guard + "call.uni (result), " + name + ", (first, second);",
                "ld.param.b32 " + value + ", [result];",
                "}",
                "add.u32 " + into + ", " + into + ", " + value + ";");
    }

    /** The functions of a kernel with blocks of so many threads. */
    String functions(int threads) {
        // What exited threads did not write must be defined all the same: the kernel cleared it.
        int desks = KernelGenerator.DESK_PLANE * KernelGenerator.PLANE_BYTES;
        return function(
                        "pure",
                        """
                        shr.u32 %c, %b, 30;
                        again: mad.lo.u32 %a, %a, %b, CONSTANT;
                        add.u32 %c, %c, 1;
                        setp.lt.u32 %p, %c, 3;
                        @%p bra again;
                        setp.gt.s32 %p, %a, 0;
                        @%p bra done;
                        xor.b32 %a, %a, 0x5bd1e995;
                        st.param.b32 [result], %a;
                        ret;
                        done: not.b32 %a, %a;
                        """
                                .replace("CONSTANT", "" + (draw.below(1 << 20) | 1)))
                + function(
                        "recursive",
                        """
                        .local .b32 kept;
                        and.b32 %b, %b, 7;
                        setp.eq.u32 %p, %b, 0;
                        @%p bra end;
                        st.local.b32 [kept], %a;
                        sub.u32 %b, %b, 1;
                        mad.lo.u32 %a, %a, 31, %b;
                        { .param .b32 r; .param .b32 x; .param .b32 y;
                        st.param.b32 [x], %a; st.param.b32 [y], %b;
                        call.uni (r), recursive, (x, y);
                        ld.param.b32 %a, [r]; }
                        ld.local.b32 %c, [kept];
                        xor.b32 %a, %a, %c;
                        end:
                        """)
                + function(
                        "locking",
                        """
                        again: atom.shared.exch.b32 %c, [lock], 1;
                        setp.ne.u32 %p, %c, 0;
                        @%p bra again;
                        ld.volatile.shared.u32 %c, [sums+28];
                        add.u32 %c, %c, %a;
                        st.volatile.shared.u32 [sums+28], %c;
                        membar.cta;
                        st.volatile.shared.u32 [lock], 0;
                        """)
                + function(
                        "leaving",
                        """
                        mul.lo.u32 %c, %b, 0x9E3779B1;
                        shr.u32 %c, %c, 28;
                        setp.eq.u32 %p, %c, 5;
                        @%p exit;
                        """)
                + function(
                        "shuffling",
                        """
                        setp.ne.u32 %p, %b, 0;
                        vote.sync.ballot.b32 %c, %p, %b;
                        brev.b32 %d, %c;
                        clz.b32 %d, %d;
                        shfl.sync.idx.b32 %d, %a, %d, 31, %b;
                        popc.b32 %c, %c;
                        mad.lo.u32 %a, %d, 3, %c;
                        """)
                + function(
                        "meeting",
                        """
                        .shared .b32 desks[256];
                        mov.u32 %c, %tid.x;
                        mov.u32 %d, %ntid.x;
                        mov.u32 %b, %tid.y;
                        mad.lo.u32 %c, %b, %d, %c;
                        mov.u32 %d, DESKS;
                        mad.lo.u32 %c, %c, 4, %d;
                        st.shared.u32 [%c], 0;
                        bar.sync CONSTANT;
                        st.shared.u32 [%c], %a;
                        bar.sync 0;
                        sub.u32 %c, %c, %d;
                        sub.u32 %c, LAST, %c;
                        add.u32 %c, %c, %d;
                        ld.shared.u32 %d, [%c];
                        setp.gt.s32 %p, %d, 0;
                        bar.red.popc.u32 %c, 1, %p;
                        add.u32 %a, %d, %c;
                        """
                                .replace("CONSTANT", "" + draw.below(10))
                                .replace("DESKS", exits ? "cells+" + desks : "desks")
                                .replace("LAST", "" + 4 * (threads - 1)))
                + function(
                        "nested",
                        """
                        xor.b32 %d, %a, %b;
                        { .param .b32 r; .param .b32 x; .param .b32 y;
                        st.param.b32 [x], %a; st.param.b32 [y], %b;
                        call.uni (r), meeting, (x, y);
                        ld.param.b32 %c, [r];
                        st.param.b32 [x], %c; st.param.b32 [y], %d;
                        call.uni (r), pure, (x, y);
                        ld.param.b32 %c, [r];
                        st.param.b32 [x], %c;
                        call.uni (r), meeting, (x, y);
                        ld.param.b32 %c, [r]; }
                        add.u32 %a, %c, %d;
                        """);
    }

    private static String function(String name, String body) {
        return """
        .func (.param .b32 result) %s (.param .b32 first, .param .b32 second) {
        .reg .b32 %%a, %%b, %%c, %%d;
        .reg .pred %%p;
        ld.param.b32 %%a, [first];
        ld.param.b32 %%b, [second];
        %sst.param.b32 [result], %%a;
        ret;
        }
        """
                .formatted(name, body);
    }
}
