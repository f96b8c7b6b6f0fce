package facet.ptx;

import static facet.ptx.PtxException.Kind.INVALID;
import static facet.ptx.PtxException.Kind.SYNTAX;
import static facet.ptx.PtxException.Kind.UNSUPPORTED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.ptx.PtxException.Kind;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Malformed texts: what is said about them, and where. */
class ParserErrorTest {
    /**
     * @param at line and column
     */
    record Case(Kind kind, String at, String message, String text) {}

    private static Case text(Kind kind, String at, String message, String text) {
        return new Case(kind, at, message, text);
    }

    /** Line 4 of a module. */
    private static Case module(Kind kind, int column, String message, String declarations) {
        return new Case(kind, "4:" + column, message, Samples.module(declarations));
    }

    /** Line 9 of a module, in a kernel with registers. */
    private static Case kernel(Kind kind, int column, String message, String statements) {
        return new Case(kind, "9:" + column, message, Samples.kernel(statements));
    }

    static Stream<Case> malformed() {
        String deep = "{".repeat(5000);
        String parentheses = "(".repeat(5000);
        return Stream.of(
                text(SYNTAX, "1:1", "expected '.version' but found the end of the text", ""),
                text(SYNTAX, "2:3", "expected '.version' but found '.target'", "//\n  .target x"),
                text(SYNTAX, "1:10", "expected a version such as 9.0", ".version 9"),
                text(SYNTAX, "1:10", "expected a version such as 9.0", ".version 12.5"),
                text(SYNTAX, "1:14", "expected '.target'", ".version 9.0 .func"),
                text(SYNTAX, "1:22", "a target such as sm_75", ".version 9.0 .target 5"),
                text(
                        SYNTAX,
                        "2:15",
                        "expected 32 or 64 but found '48'",
                        ".version 9.0 .target sm_75\n.address_size 48"),
                text(SYNTAX, "1:1", "the comment does not end", "/* a\n b"),
                module(SYNTAX, 1, "expected a declaration but found 'x'", "x"),
                module(SYNTAX, 1, "expected a declaration but found '.foo'", ".foo x;"),
                module(SYNTAX, 1, "unexpected character '#'", "# 1 \"a.cu\""),
                module(SYNTAX, 1, "unexpected character U+00e4", "ä"),
                module(SYNTAX, 10, "expected a function or variable", ".visible .pragma \"x\";"),
                module(SYNTAX, 9, "expected a type but found '.foo'", ".global .foo x;"),
                module(SYNTAX, 9, "expected a type but found 'x'", ".global x;"),
                module(SYNTAX, 14, "the name of a variable but found '5'", ".global .b32 5;"),
                module(SYNTAX, 14, "expected a name but found '.b64'", ".global .b32 .b64 x;"),
                module(SYNTAX, 17, "expected ']' behind the size", ".global .b32 x[5;"),
                module(INVALID, 16, "an array cannot have the size -5", ".global .b32 x[-5];"),
                module(INVALID, 19, "an array cannot have the size 0", ".global .b32 x[2][0];"),
                module(
                        INVALID,
                        16,
                        "an array cannot have the size 4611686018427387904",
                        ".global .b32 x[1 << 62];"),
                module(INVALID, 16, "the alignment 3 is not", ".global .align 3 .b32 x;"),
                module(SYNTAX, 19, "expected '{' but found '5'", ".global .b8 a[] = 5;"),
                module(SYNTAX, 18, "expected a value but found ';'", ".global .b32 x = ;"),
                module(SYNTAX, 23, "expected ',' or '}'", ".global .b8 x[2] = {1 2};"),
                module(
                        SYNTAX,
                        231,
                        "nested too deeply",
                        ".global .b8 x[]" + "[1]".repeat(60) + " = " + deep),
                module(SYNTAX, 23, "expected '{' but found '1'", ".global .b8 x[][2] = {1, 2, 3};"),
                module(
                        SYNTAX,
                        21,
                        "expected a value but found '{'",
                        ".global .b8 x[2] = {{1, 2}, {3}};"),
                module(SYNTAX, 18, "expected a value but found '{'", ".global .b32 x = {1};"),
                module(SYNTAX, 20, "expected a value but found '}'", ".global .b8 x[] = {};"),
                module(
                        INVALID,
                        31,
                        "more initial values than the 2",
                        ".global .b8 x[1][2] = {{1, 2, 3}};"),
                module(INVALID, 22, "a vector of 4 elements has 1", ".global .v4 .b32 x = {1};"),
                module(INVALID, 18, "'y' is not declared", ".global .u64 x = y;"),
                module(INVALID, 21, "cannot be zero", ".global .u8 x[1] = {0(x)};"),
                module(
                        UNSUPPORTED,
                        25,
                        "samplers",
                        ".global .samplerref x = {filter_mode = nearest};"),
                module(INVALID, 1, "must stand in a function", ".reg .b32 x;"),
                module(SYNTAX, 8, "the name of a function but found '('", ".entry (.param .b32 x)"),
                module(SYNTAX, 10, "expected '.param' or '.reg'", ".entry e(.b32 x) { }"),
                module(SYNTAX, 12, "expected '{' or ';'", ".entry e() ret;"),
                module(SYNTAX, 12, "a directive of a function", ".entry e() .foo { }"),
                module(SYNTAX, 13, "the end of the text", ".entry e() {\u0000"),
                module(SYNTAX, 9, "does not end on its line", ".pragma \"nounroll;\n\""),
                kernel(SYNTAX, 1, "expected an instruction but found 'foo'", "foo.b32 %r1, %r2;"),
                kernel(SYNTAX, 1, "expected a statement or '}'", "5;"),
                kernel(
                        SYNTAX,
                        1,
                        "expected a statement or '}' but found '.entry'",
                        ".entry e() {}"),
                kernel(UNSUPPORTED, 1, "'add.foo.s32' with", "add.foo.s32 %r1, %r2, %r3;"),
                kernel(UNSUPPORTED, 2, "'ld.L9::64B.b32'", " ld.L9::64B.b32 %r1, [%rd1];"),
                kernel(UNSUPPORTED, 1, "'min.nAn.f32'", "min.nAn.f32 %f1, %f1, %f1;"),
                kernel(INVALID, 14, "register '%r77' is not declared", "add.s32 %r1, %r77, 1;"),
                kernel(INVALID, 14, "register '%r05' is not declared", "add.s32 %r1, %r05, 1;"),
                kernel(INVALID, 2, "register '%p' is not declared", "@%p ret;"),
                kernel(INVALID, 14, "'x' is not declared", "add.s32 %r1, x, 1;"),
                kernel(INVALID, 27, "register '%q' is not", "{ .reg .b32 %q; } mov.b32 %q, 1;"),
                kernel(INVALID, 14, "declared twice", ".reg .b32 x; .reg .b32 x;"),
                kernel(INVALID, 14, "between 1 and 1000000", ".reg .b32 %x<2000000000>;"),
                kernel(INVALID, 14, "between 1 and 1000000", ".reg .b32 %x<0>;"),
                kernel(UNSUPPORTED, 1, "1000080 registers in a function", ".reg .b32 %x<999999>;"),
                kernel(SYNTAX, 16, "expected ',' or ';'", "add.s32 %r1, 5 %r2;"),
                kernel(SYNTAX, 14, "expected an operand but found ';'", "add.s32 %r1, ;"),
                kernel(SYNTAX, 1, "expected a statement", "]"),
                kernel(SYNTAX, 18, "expected ']' behind an address", "ld.b32 %r1, [%rd1;"),
                kernel(SYNTAX, 14, "a register or symbol as address", "ld.b32 %r1, [%tid.x];"),
                kernel(SYNTAX, 14, "malformed number '0x'", "mov.b32 %r1, 0x;"),
                kernel(SYNTAX, 14, "malformed number '12ab'", "mov.b32 %r1, 12ab;"),
                kernel(SYNTAX, 14, "malformed number '089'", "mov.b32 %r1, 089;"),
                kernel(SYNTAX, 14, "8 hexadecimal digits", "mov.f32 %f1, 0f3F80;"),
                kernel(SYNTAX, 15, "fit into 64 bits", "mov.b64 %rd1, 99999999999999999999;"),
                kernel(INVALID, 16, "division by zero", "mov.b32 %r1, 1 / 0;"),
                kernel(INVALID, 18, "'<<' takes integers only", "mov.f32 %f1, 1.5 << 1;"),
                kernel(
                        SYNTAX,
                        14,
                        "'.unified' stands behind an address",
                        "ld.global.b32.unified %r1, [%rd1];"),
                kernel(SYNTAX, 21, "expected ',' or ';'", "st.global.b32 [%rd1].unified, %r1;"),
                kernel(SYNTAX, 64, "nested too deeply", "mov.b32 %r1, " + parentheses),
                kernel(SYNTAX, 23, "nested too deeply", "mov.b32 %r1, " + deep),
                kernel(SYNTAX, 100, "the scopes are nested too deeply", deep),
                kernel(INVALID, 16, "has no element '.z'", "mov.b32 %r1, %w.z;"),
                kernel(UNSUPPORTED, 31, "selector '.b0'", "vadd.u32.u32.u32 %r1, %r2, %r3.b0;"),
                kernel(INVALID, 21, "%laneid has no component", "mov.b32 %r1, %laneid.x;"),
                kernel(SYNTAX, 11, "expected ','", "call (%r1);"),
                kernel(SYNTAX, 13, "the function to call", "call (%r1), 5;"),
                kernel(SYNTAX, 6, "expected an instruction but found ';'", "@%p1 ;"),
                kernel(SYNTAX, 6, "the number of a file", ".loc \"a\" 1 2"));
    }

    @ParameterizedTest
    @MethodSource
    void malformed(Case given) {
        PtxException thrown = assertThrows(PtxException.class, () -> Parser.parse(given.text()));
        assertTrue(thrown.getMessage().contains(given.message()), thrown.getMessage());
        assertEquals(given.at(), thrown.position().toString(), thrown.getMessage());
        assertEquals(given.kind(), thrown.kind(), thrown.getMessage());
    }
}
