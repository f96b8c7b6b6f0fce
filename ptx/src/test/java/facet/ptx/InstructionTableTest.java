package facet.ptx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class InstructionTableTest {
    private static Form only(String text) {
        TableReader reader = new TableReader();
        reader.line("@rnd = rn rz");
        reader.line("1.2.3  " + text);
        return reader.forms().getFirst();
    }

    @Test
    void readsSlotsAndOperands() {
        Form form = only("fma.@rnd{.ftz}.{f32,f64}   d:T{|q:pred}, a:T+{, b:2T}, [c], e:!pred");
        assertEquals("1.2.3", form.section());
        assertEquals(Opcode.FMA, form.opcode());
        assertEquals(List.of(Modifier.RN, Modifier.RZ), form.slots().get(0).accepted());
        assertTrue(form.slots().get(1).optional());
        assertEquals(5, form.operands().size());
        assertEquals(OperandPattern.Pair.OPTIONAL, form.operands().get(0).pair());
        assertTrue(form.hasResult());
        assertTrue(form.operands().get(1).wider());
        assertTrue(form.operands().get(2).optional());
        assertEquals(OperandPattern.Kind.ADDRESS, form.operands().get(3).kind());
        assertTrue(form.operands().get(4).negatable());
        assertEquals(
                "fma.{rn,rz}{.ftz}.{f32,f64} d:T{|q:pred}, a:T+{, b:2T}, [c], e:!pred",
                form.syntax());
    }

    @Test
    void suffixesMayComeInAnyOrderButTypesKeepTheirs() {
        Form form = only("add{.@rnd}.f32.f16  d:T, a:U");
        assertTrue(form.accepts(List.of(Type.F32, Modifier.RN, Type.F16)));
        assertFalse(form.accepts(List.of(Type.F16, Type.F32)));
        assertFalse(form.accepts(List.of(Type.F32, Type.F16, Modifier.RN, Modifier.RN)));
        assertEquals(1, form.distance(List.of(Type.F32)));
    }

    @Test
    void everyOpcodeOfAluMemoryAndControlHasForms() {
        Set<Opcode> without = EnumSet.noneOf(Opcode.class);
        for (Opcode opcode : Opcode.values()) {
            if (InstructionTable.forms(opcode).isEmpty()) {
                without.add(opcode);
            }
        }
        without.removeIf(opcode -> opcode.compareTo(Opcode.VADD) >= 0);
        assertEquals(
                EnumSet.of(
                        Opcode.MULTIMEM,
                        Opcode.TENSORMAP,
                        Opcode.CLUSTERLAUNCHCONTROL,
                        Opcode.WGMMA,
                        Opcode.TCGEN05),
                without);
    }
}
