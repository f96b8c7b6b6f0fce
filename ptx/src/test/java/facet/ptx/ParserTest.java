package facet.ptx;

import static facet.ptx.Samples.instruction;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the parts of the IR hold after a parse. */
class ParserTest {
    @Test
    void header() {
        Module module = Parser.parse(".version 7.8\n.target sm_90a, debug\n.address_size 64");
        assertEquals(new Module(78, List.of("sm_90a", "debug"), 64, List.of()), module);
    }

    @ParameterizedTest
    @CsvSource({
        "1 + 2 * 3, 7",
        "(1 + 2) * 3, 9",
        "10 - 4 - 3, 3",
        "-7 / 2, -3",
        "-7 % 3, -1",
        "1 << 4 + 1, 32",
        "0xFF & 0x0F | 0x30, 63",
        "6 ^ 3, 5",
        "~5, -6",
        "!5 + !0, 1",
        "3 < 4 == 1, 1",
        "1 ? 2 : 0 ? 3 : 4, 2",
        "0 ? 2 : 0 ? 3 : 4, 4",
        "9223372036854775807 + 1, -9223372036854775808",
        "9223372036854775807 * 9223372036854775807, 1",
        "-1 >> 60, -1",
        "010 + 0b11 + 0x1F, 42",
        "WARP_SZ * 2, 64",
        "1.5 < 2 && 2.0 == 2, 1",
        "(.s64) 2.9, 2",
    })
    void expression(String text, long value) {
        assertEquals(
                new Operand.IntegerImmediate(value, false),
                instruction("mov.b64 %rd1, " + text + ";").operand(1));
    }

    @ParameterizedTest
    @CsvSource({
        "5U, 5",
        "0xFFFFFFFFFFFFFFFF, -1",
        "-1U >> 60, 15",
        "5U - 6, -1",
        "(.u64) -1 / 2, 9223372036854775807",
        "0xFFFFFFFFFFFFFFFF % 10, 5",
    })
    void unsignedExpression(String text, long value) {
        assertEquals(
                new Operand.IntegerImmediate(value, true),
                instruction("mov.b64 %rd1, " + text + ";").operand(1));
    }

    @ParameterizedTest
    @CsvSource({"1.5", "-2.5e3", ".25", "1e-3", "3.", "1e400", "1.0 / 3"})
    void floats(String text) {
        double value = text.equals("1.0 / 3") ? 1.0 / 3 : Double.parseDouble(text);
        assertEquals(
                new Operand.FloatImmediate(Type.F64, Double.doubleToRawLongBits(value)),
                instruction("mov.f64 %fd1, " + text + ";").operand(1));
    }

    @Test
    void addresses() {
        Instruction load = instruction("ld.global.nc.v2.f32 {%f1, %f2}, [%rd1+-8];");
        assertEquals(List.of(Space.GLOBAL, Modifier.NC, Modifier.V2, Type.F32), load.suffixes());
        Register base = new Register("%rd1", Type.B64, 1, 39);
        assertEquals(new Operand.Address(base, -8), load.operand(1));
        assertEquals(
                new Operand.Address(new Operand.Symbol("tile", 0), 12),
                instruction("ld.shared.b32 %r1, [tile+16-4];").operand(1));
        assertEquals(
                new Operand.Address(null, 16), instruction("ld.shared.b32 %r1, [16];").operand(1));
    }

    @Test
    void twoSpellingsOfNan() {
        assertTrue(instruction("setp.nan.f32 %p1, %f1, %f2;").has(Modifier.UNORDERED));
        assertTrue(instruction("min.NaN.f32 %f1, %f1, %f2;").has(Modifier.PROPAGATE_NAN));
    }

    @Test
    void callsKeepTheirParts() {
        Instruction call = instruction("call.uni (%r1), %rd1, (%r2, 5), p; p: .callprototype _ ;");
        assertTrue(call.operand(0) instanceof Operand.Arguments);
        assertTrue(call.operand(1) instanceof Register);
        assertEquals(2, ((Operand.Arguments) call.operand(2)).elements().size());
        assertEquals(new Operand.Symbol("p", 0), call.operand(3));
        assertEquals(List.of(new Operand.Symbol("f", 0)), instruction("call f;").operands());
    }

    @Test
    void scopesHaveRegistersOfTheirOwn() {
        Module module =
                Parser.parse(
                        Samples.module(
                                """
                                .entry k() {
                                    .reg .b32 %r<4>;
                                    mov.b32 %r1, 0;
                                    { .reg .f32 %r1; .reg .b32 x; mov.f32 %r1, 0f00000000; }
                                    { .reg .b64 %r<2>; mov.b64 %r1, 0; mov.b32 %r2, 0; }
                                    mov.b32 %r1, 0;
                                }
                                """));
        List<Statement> body = Samples.body(module.kernels().getFirst());
        Register outer = new Register("%r1", Type.B32, 1, 1);
        assertEquals(outer, written(body.get(1)));
        List<Statement> first = ((Statement.Scope) body.get(2)).statements();
        assertEquals(new Register("%r1", Type.F32, 1, 4), written(first.get(2)));
        List<Statement> second = ((Statement.Scope) body.get(3)).statements();
        assertEquals(new Register("%r1", Type.B64, 1, 7), written(second.get(1)));
        assertEquals(new Register("%r2", Type.B32, 1, 2), written(second.get(2)));
        assertEquals(outer, written(body.get(4)));
    }

    private static Operand written(Statement statement) {
        return ((Instruction) statement).operand(0);
    }

    @Test
    void openArraysTakeTheirSizeFromTheValues() {
        assertEquals(List.of(3L), variable(".global .b8 x[] = {1, 2, 3};").dimensions());
        assertEquals(List.of(2L), variable(".global .v2 .b8 x[] = {{1, 2}, {3, 4}};").dimensions());
        assertEquals(List.of(1L, 2L), variable(".global .b8 x[][2] = {{1, 2}};").dimensions());
        assertEquals(List.of(0L), variable(".extern .shared .b8 x[];").dimensions());
    }

    @Test
    void oneDeclarationOfSeveralVariables() {
        Module module = Parser.parse(Samples.module(".global .f32 a, b[4] = {1};"));
        assertEquals(2, module.declarations().size());
    }

    @Test
    void attributesOfVariables() {
        assertEquals(
                List.of(
                        new Variable.Attribute("managed", List.of()),
                        new Variable.Attribute("unified", List.of(19L, 95L))),
                variable(".global .attribute(.managed, .unified(19, 95)) .b32 x;").attributes());
    }

    private static Variable variable(String declaration) {
        Module module = Parser.parse(Samples.module(declaration));
        return ((Declaration.Global) module.declarations().getFirst()).variable();
    }

    @Test
    void positionsCountFromOne() {
        Instruction add = instruction("ret; /* a\n b */\tadd.s32 %r1, %r1, 1;");
        List<Instruction> both = Samples.instructions("ret; /* a\n b */\tadd.s32 %r1, %r1, 1;");
        assertEquals("9:1", add.position().toString());
        assertEquals("10:7", both.get(1).position().toString());
    }

    @Test
    void textEndsAtNul() {
        assertEquals(Parser.parse(Samples.module("")), Parser.parse(Samples.module("\0 ???")));
        assertNotEquals(
                Parser.parse(Samples.module(".global .b32 x;")), Parser.parse(Samples.module("")));
    }
}
