package facet.ptx.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.ptx.Instruction;
import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.Printer;
import facet.ptx.PtxException;
import facet.ptx.Variable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FlattenTest {
    private static Body flatten(String statements) {
        return module(".entry k(.param .b32 n) {\n" + statements + "\n}");
    }

    private static Body module(String declarations) {
        Module module =
                Parser.parse(".version 9.0 .target sm_75 .address_size 64\n" + declarations);
        return Flatten.flatten(module.kernels().getFirst());
    }

    private static List<String> text(Body body) {
        return body.instructions().stream().map((Instruction each) -> Printer.print(each)).toList();
    }

    @Test
    void labelsOfScopesAreRenamed() {
        Body body =
                flatten(
                        """
                        bra L;
                        { bra L; L: ret; }
                        { L: bra L; { L: bra L; } bra M; }
                        L: bra L;
                        M:
                        """);
        assertEquals(
                List.of("bra L", "bra L$2", "ret", "bra L$3", "bra L$4", "bra M", "bra L"),
                text(body));
        assertEquals(Map.of("L", 6, "L$2", 2, "L$3", 3, "L$4", 4, "M", 7), body.labels());
    }

    @Test
    void parametersOfCallsAreRenamed() {
        Body body =
                flatten(
                        """
                        .reg .b32 %r<2>;
                        { .param .b32 param0; st.param.b32 [param0+4], %r1; call f, (param0); }
                        { .param .b32 param0; st.param.b32 [param0], %r1; call f, (param0); }
                        """);
        assertEquals(
                List.of(
                        "st.param.b32 [param0+4], %r1",
                        "call f, (param0)", "st.param.b32 [param0$2], %r1", "call f, (param0$2)"),
                text(body));
        assertEquals(List.of("param0", "param0$2"), List.copyOf(body.variables().keySet()));
        assertEquals(
                List.of("param0", "param0$2"),
                body.variables().values().stream().map(Variable::name).toList());
    }

    @Test
    void aNameFromOutsideKeepsItsMeaning() {
        Body body =
                module(
                        """
                        .global .b32 x;
                        .entry k(.param .b32 n) {
                            .reg .b32 %r<2>;
                            { .local .b32 x; ld.local.b32 %r1, [x]; }
                            { .local .b32 n; ld.local.b32 %r1, [n]; }
                            ld.global.b32 %r1, [x];
                            ld.param.b32 %r1, [n];
                        }
                        """);
        assertEquals(
                List.of(
                        "ld.local.b32 %r1, [x$2]",
                        "ld.local.b32 %r1, [n$2]",
                        "ld.global.b32 %r1, [x]",
                        "ld.param.b32 %r1, [n]"),
                text(body));
    }

    @Test
    void targetsAndPrototypes() {
        Body body =
                flatten(
                        """
                        .reg .b32 %r<2>; .reg .b64 %rd;
                        { A: brx.idx %r1, T; T: .branchtargets A, B; B: }
                        { A: brx.idx %r1, T; T: .branchtargets A, B; B: }
                        { P: .callprototype _ (.param .b32 _); call %rd, (%r1), P; }
                        { P: .callprototype _ (.param .b64 _); call %rd, (%rd), P; }
                        """);
        assertEquals(
                List.of(
                        "brx.idx %r1, T",
                        "brx.idx %r1, T$2", "call %rd, (%r1), P", "call %rd, (%rd), P$2"),
                text(body));
        assertEquals(List.of("A$2", "B$2"), body.targets("T$2").names());
        assertEquals(2, body.prototypes().size());
    }

    @Test
    void registersAreListedById() {
        Body body =
                module(
                        """
                        .func (.reg .b32 r) f (.reg .b64 a) { ret; }
                        .entry k() {
                            .reg .b32 %r<2>, x;
                            { .reg .v4 .f32 %r1; mov.f32 %r1.x, %r1.y; }
                            .reg .pred p; @p ret;
                        }
                        """);
        assertEquals(5, body.registers().size());
        for (int i = 0; i < 5; i++) {
            assertEquals(i, body.registers().get(i).id());
        }
        assertEquals(4, body.registers().get(3).lanes());
        assertEquals(
                new Instruction.Guard(body.registers().get(4), false),
                body.instructions().get(1).guard());
    }

    @Test
    void unknownLabels() {
        PtxException inner = assertThrows(PtxException.class, () -> flatten("{ L: }\n bra L;"));
        assertEquals("4:2", inner.position().toString());
        assertEquals(PtxException.Kind.INVALID, inner.kind());
        assertTrue(inner.getMessage().contains("'L'"), inner.getMessage());
        assertThrows(
                PtxException.class,
                () -> flatten(".reg .b32 r; T: .branchtargets X; brx.idx r, T;"));
        assertThrows(PtxException.class, () -> flatten(".reg .b32 r; brx.idx r, T;"));
        assertThrows(PtxException.class, () -> flatten("L: L: ret;"));
    }
}
