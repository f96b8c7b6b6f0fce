package facet.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.jit.emit.Emitter;
import facet.jit.emit.Program;
import facet.jit.pass.InlineCalls;
import facet.jit.runtime.Lanes;
import facet.ptx.Form;
import facet.ptx.FormExamples;
import facet.ptx.Function;
import facet.ptx.InstructionTable;
import facet.ptx.Module;
import facet.ptx.Opcode;
import facet.ptx.Parser;
import facet.ptx.Verifier;
import facet.ptx.flow.Body;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every form does the same for a row of lanes as for one thread after the other. */
final class RowsAgreeTest {
    private static final Pattern ADDRESS = Pattern.compile("\\[%rd(\\d+)]");

    /** Makes rows worth their while. */
    private static final String FILLING =
            """
            mov.u32 %n, 0;
            OUTER: mov.u32 %m, 0;
            INNER: fma.rn.f32 %z, %z, %z, %z;
            fma.rn.f32 %z, %z, %z, %z; fma.rn.f32 %z, %z, %z, %z; fma.rn.f32 %z, %z, %z, %z;
            fma.rn.f32 %z, %z, %z, %z; fma.rn.f32 %z, %z, %z, %z; fma.rn.f32 %z, %z, %z, %z;
            add.u32 %m, %m, 1; setp.lt.u32 %more, %m, 2; @%more bra INNER;
            add.u32 %n, %n, 1; setp.lt.u32 %more, %n, 2; @%more bra OUTER;
            """;

    private static String kernel(String example) {
        StringBuilder text =
                new StringBuilder(
                        """
                        .reg .b64 %base; .reg .b64 %mine; .reg .b64 %wide; .reg .b32 %t; .reg .b32 %x; .reg .f32 %z;
                        .reg .b32 %o; .reg .b32 %n; .reg .b32 %m; .reg .pred %more; .extern .shared .align 32 .b8 dynamic[];
                        ld.param.u64 %base, [kp];
                        mov.u32 %t, %tid.x;
                        mad.lo.u32 %x, %t, 0x9e3779b1, 12345;
                        """);
        for (int i = 0; i < 12; i++) {
            text.append("mad.lo.u32 %%x, %%x, %%x, %d;\n".formatted(i));
            text.append("shr.u32 %%r%d, %%x, %d;\n".formatted(i, i % 7 * 4));
        }
        for (int i = 0; i < 6; i++) {
            text.append("mov.b64 %%rd%d, {%%r%d, %%r%d};\n".formatted(i, i, i + 3));
            text.append("cvt.u16.u32 %%h%d, %%r%d;\n".formatted(i, i + 4));
            text.append("setp.lt.s32 %%p%d, %%r%d, %%r%d;\n".formatted(i, i, i + 5));
        }
        text.append("cvt.u8.u32 %c1, %r1; cvt.u8.u32 %c2, %r2;\n");
        text.append("mul.wide.u32 %wide, %t, 32;\n");
        Matcher addresses = ADDRESS.matcher(example);
        boolean copies = example.contains("cp.async");
        while (addresses.find()) {
            String register = "%rd" + addresses.group(1);
            if (example.contains(".local")) {
                text.append("mov.u64 " + register + ", 32;\n");
            } else if (example.contains(".shared") && (!copies || register.equals("%rd1"))) {
                text.append("mov.u64 " + register + ", %wide;\n");
            } else {
                text.append("add.u64 " + register + ", %base, %wide;\n");
            }
        }
        text.append("mov.b32 %z, %r3;\n").append(FILLING).append(example).append('\n');
        text.append("mul.wide.u32 %wide, %t, 4; add.u64 %mine, %base, %wide;\n");
        int at = 8192;
        for (int i = 1; i < 9; i++, at += 256) {
            text.append("st.global.b32 [%%mine+%d], %%r%d;\n".formatted(at, i));
        }
        for (int i = 0; i < 8; i++, at += 256) {
            text.append(
                    "selp.b32 %%o, 1, 0, %%p%d; st.global.b32 [%%mine+%d], %%o;\n"
                            .formatted(i, at));
        }
        for (int i = 1; i < 5; i++, at += 256) {
            text.append(
                    "cvt.u32.u16 %%o, %%h%d; st.global.b32 [%%mine+%d], %%o;\n".formatted(i, at));
        }
        text.append("cvt.u32.u8 %%o, %%c1; st.global.b32 [%%mine+%d], %%o;\n".formatted(at));
        text.append("add.u64 %mine, %mine, %wide;\n");
        for (int i = 1; i < 5; i++) {
            text.append("st.global.b64 [%%mine+%d], %%rd%d;\n".formatted(16384 + 512 * i, i));
        }
        text.append("st.global.f32 [%mine+24576], %z;\n");
        return FormExamples.kernel(text.toString());
    }

    /** The difference, where there is vector code at all. */
    private static Optional<String> compare(String example) {
        Module module = Parser.parse(kernel(example));
        Verifier.verify(module);
        Function kernel = module.kernels().getFirst();
        Compiler compiler = new Compiler(module);
        CompiledKernel compiled = compiler.compile(kernel);
        Program program = new Program(Program.globals(module), compiler.graph(), false);
        int lanes = example.hashCode() % 2 == 0 ? Lanes.COUNT : 2 * Lanes.COUNT;
        Body body = InlineCalls.inline(compiler.graph(), kernel);
        // Long rows may be too much code for a method.
        Optional<Emitter.Emitted> rows =
                Emitter.emitRows(program, body, lanes)
                        .or(() -> Emitter.emitRows(program, body, Lanes.COUNT));
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        String one = OneBlock.run(compiled, compiled.scalar());
        String many = OneBlock.run(compiled, rows.get());
        if (!one.equals(many)) {
            return Optional.of(example + "\n  " + one + "\n  " + many);
        }
        // One row by vector code, the others by the code that has run before.
        String trained =
                OneBlock.run(
                        compiled,
                        rows.get(),
                        runner ->
                                runner.train(
                                        true,
                                        rows.get().hasRegionsOf(compiled.scalar())
                                                ? compiled.scalar().code()
                                                : null));
        return Optional.of(
                one.equals(trained) ? "" : example + " in training\n  " + one + "\n  " + trained);
    }

    /** A sixth of the examples as they are, a sixth under a guard; with -Dfacet.all both of all. */
    private static List<String> variants(String text, int index) {
        String guarded = "@%p2 " + text;
        if (Boolean.getBoolean("facet.all")) {
            return List.of(text, guarded);
        }
        return switch (index % 6) {
            case 0 -> List.of(text);
            case 3 -> List.of(guarded);
            default -> List.of();
        };
    }

    private static List<String> examples() {
        List<String> examples = new ArrayList<>();
        int index = 0;
        for (Form form : InstructionTable.forms()) {
            if (form.opcode() == Opcode.CALL || form.opcode() == Opcode.NANOSLEEP) {
                continue;
            }
            for (String text : FormExamples.of(form)) {
                if (!text.matches("(ld|st).*\\.v8\\.b8 .*") && !text.contains(".unified")) {
                    examples.addAll(variants(text, index++));
                }
            }
        }
        return examples;
    }

    @Test
    void everyExampleOfTheTable() {
        List<String> different = new ArrayList<>();
        int count = 0;
        for (String example : examples()) {
            try {
                Optional<String> difference = compare(example);
                count += difference.isPresent() ? 1 : 0;
                difference.filter(each -> !each.isEmpty()).ifPresent(different::add);
            } catch (RuntimeException | LinkageError e) {
                different.add(example + "\t" + e);
            }
        }
        assertEquals("", String.join("\n", different));
        assertTrue(count > examples().size() / 2, "only " + count + " of " + examples().size());
    }
}
