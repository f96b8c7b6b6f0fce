package facet.ptx.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.ptx.Declaration;
import facet.ptx.Function;
import facet.ptx.Module;
import facet.ptx.Parser;
import org.junit.jupiter.api.Test;

class RegisterPressureTest {
    private static int of(String body) {
        Module module =
                Parser.parse(
                        ".version 7.0\n.target sm_75\n.address_size 64\n.entry k()\n{\n"
                                + ".reg .pred %p<4>;\n.reg .b32 %r<64>;\n.reg .b64 %d<8>;\n"
                                + body
                                + "\nret;\n}\n");
        for (Declaration each : module.declarations()) {
            if (each instanceof Function function) {
                return RegisterPressure.of(Flatten.flatten(function));
            }
        }
        throw new AssertionError("there is no function");
    }

    @Test
    void nothingNeedsNone() {
        assertEquals(0, of(""));
    }

    @Test
    void oneAfterTheOtherIsOneAtATime() {
        assertEquals(1, of("mov.u32 %r1, 1;\nmov.u32 %r2, 1;\nmov.u32 %r3, 1;"));
    }

    @Test
    void whatIsAliveTogetherIsCountedTogether() {
        String text = "mov.u32 %r1, 1;\nmov.u32 %r2, 2;\nmov.u64 %d1, 3;\n";
        assertEquals(4, of(text + "st.u32 [%d1], %r1;\nst.u32 [%d1], %r2;"));
    }

    @Test
    void predicatesHaveTheirOwn() {
        assertEquals(1, of("mov.u32 %r1, 1;\nsetp.eq.u32 %p1, %r1, 1;\nsetp.eq.u32 %p2, %r1, 2;"));
    }

    @Test
    void whatALoopReadsStaysForItsNextRound() {
        String before = "mov.u32 %r1, 1;\nmov.u32 %r2, 9;\nL:\nadd.u32 %r3, %r1, 1;\n";
        String inside = "mov.u32 %r4, 1;\nmov.u32 %r5, 1;\nadd.u32 %r6, %r4, %r5;\n";
        String after = "setp.eq.u32 %p1, %r2, 1;\n@%p1 bra L;";
        // r1 and r2 all through the loop, with r4 and r5, or r5 and r6.
        assertEquals(5, of(before + inside + after));
    }

    @Test
    void endlessNestingTakesItsTimeOnce() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            text.append("L").append(i).append(":\nadd.u32 %r1, %r1, 1;\n");
        }
        for (int i = 0; i < 2000; i++) {
            text.append("@%p1 bra L").append(i).append(";\n");
        }
        assertTrue(of(text.toString()) >= 1);
    }
}
