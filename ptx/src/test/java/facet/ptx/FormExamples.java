package facet.ptx;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Instructions made from the table: for each form the shortest one, and one for each further suffix
 * and operand that it may have. Each names the registers that {@link #REGISTERS} declares.
 */
public final class FormExamples {
    static final String HEADER =
            """
            .version 9.0
            .target sm_100a
            .address_size 64
            .global .align 16 .b8 gv[256];
            .const .align 16 .b8 cv[256];
            .func f() { ret; }
            """;
    static final String REGISTERS =
            """
            .reg .pred %p<8>; .reg .b8 %c<8>; .reg .b16 %h<8>; .reg .b32 %r<20>; .reg .b64 %rd<20>;
            .reg .b128 %q<8>; .reg .f32 %f<8>;
            .shared .align 16 .b8 sv[256]; .local .align 16 .b8 lv[64];
            """;

    private final Form form;
    private int next;

    private FormExamples(Form form) {
        this.form = form;
    }

    /** A module whose one kernel {@code k} has the instruction, or any text, as its body. */
    public static String kernel(String body) {
        return HEADER
                + ".visible .entry k(.param .align 16 .b8 kp[64])\n{\n"
                + REGISTERS
                + ".reg .u32 %u<4>; .reg .f64 %fd<4>; .reg .v4 .f32 %v<2>; .reg .f16 %hf<4>;\n"
                + ".param .align 16 .b8 out[64];\n"
                + "targets: .branchtargets L;\n"
                + body
                + "\nL: ret;\n}\n";
    }

    public static Set<String> of(Form form) {
        Set<String> texts = new LinkedHashSet<>();
        FormExamples examples = new FormExamples(form);
        texts.add(examples.text(-1, null, true));
        texts.add(examples.text(-1, null, false));
        for (int slot = 0; slot < form.slots().size(); slot++) {
            for (Suffix choice : form.slots().get(slot).accepted()) {
                texts.add(examples.text(slot, choice, true));
            }
        }
        return texts;
    }

    private String text(int slot, @Nullable Suffix choice, boolean brief) {
        List<Suffix> suffixes = new ArrayList<>();
        for (int i = 0; i < form.slots().size(); i++) {
            if (choice != null && i == slot) {
                suffixes.add(choice);
            } else if (!form.slots().get(i).optional()) {
                suffixes.add(form.slots().get(i).accepted().getFirst());
            }
        }
        StringBuilder text = new StringBuilder(form.opcode().text());
        boolean unified = false;
        for (Suffix each : suffixes) {
            if (each == Modifier.UNIFIED) {
                unified = true;
            } else {
                text.append('.').append(each.text());
            }
        }
        Instruction shape =
                new Instruction(Position.NONE, null, form.opcode(), suffixes, List.of());
        next = 1;
        String separator = " ";
        for (OperandPattern each : form.operands()) {
            boolean policy = each.kind() == OperandPattern.Kind.POLICY;
            if (policy ? !shape.has(Modifier.L2_CACHE_HINT) : each.optional() && brief) {
                continue;
            }
            text.append(separator).append(operand(each, shape));
            if (unified && each.kind() == OperandPattern.Kind.ADDRESS) {
                text.append(".unified");
            }
            separator = ", ";
        }
        return text.append(';').toString();
    }

    private String operand(OperandPattern pattern, Instruction shape) {
        return switch (pattern.kind()) {
            case ADDRESS -> "[" + address(shape) + "]";
            case IMMEDIATE -> immediate(shape);
            case FLOAT_IMMEDIATE -> "0f3F000000";
            case LABEL -> "L";
            case TARGETS -> "targets";
            case CALL -> "f";
            case PACK -> pack(pattern, shape);
            case TEXTURE, SURFACE -> indexed(pattern, shape);
            case GEOMETRY -> geometry(shape);
            case VALUE, TWICE, POLICY -> value(pattern, shape);
        };
    }

    private static String immediate(Instruction shape) {
        return switch (shape.opcode()) {
            case CP -> "16";
            case APPLYPRIORITY, DISCARD -> "128";
            case SETMAXNREG -> "24";
            case ALLOCA -> "8";
            case MMA -> "0";
            default -> "3";
        };
    }

    private String address(Instruction shape) {
        Space space = shape.space();
        if (shape.opcode() == Opcode.CP && shape.has(Modifier.CA)) {
            return "%rd" + next++;
        }
        if (space != null && space.isParam()) {
            return shape.opcode() == Opcode.ST ? "out" : "kp";
        }
        return shape.has(Modifier.UNIFIED) ? "gv" : "%rd" + next++;
    }

    private String indexed(OperandPattern pattern, Instruction shape) {
        String texture = "%rd" + next++;
        Geometry geometry = Geometry.of(shape);
        int count = geometry.written() == 3 ? 4 : geometry.written();
        return "[%s, %s]".formatted(texture, registers(count, type(pattern, shape).bits()));
    }

    private String geometry(Instruction shape) {
        int count = Geometry.of(shape).coordinates();
        return registers(count == 3 ? 4 : count, 32);
    }

    private String registers(int count, int bits) {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : ", ").append(register(bits));
        }
        return text.append('}').toString();
    }

    private String pack(OperandPattern pattern, Instruction shape) {
        int bits = type(pattern, shape).bits() / 2;
        return "{" + register(bits) + ", " + register(bits) + "}";
    }

    private String value(OperandPattern pattern, Instruction shape) {
        Type type = type(pattern, shape);
        int lanes = pattern.lanesIn(shape);
        boolean braces = lanes > 1 || pattern.count() > 0;
        StringBuilder text = new StringBuilder();
        if (braces) {
            text.append('{');
        }
        for (int i = 0; i < lanes; i++) {
            text.append(i == 0 ? "" : ", ");
            text.append(type == Type.PRED ? "%p" + next++ % 8 : register(type.bits()));
        }
        if (braces) {
            text.append('}');
        }
        if (pattern.pair() != OperandPattern.Pair.NONE) {
            text.append("|%p7");
        }
        return text.toString();
    }

    private static Type type(OperandPattern pattern, Instruction shape) {
        return Objects.requireNonNull(pattern.typeIn(shape), "a value has a type");
    }

    private String register(int bits) {
        String prefix =
                switch (bits) {
                    case 8 -> "%c";
                    case 16 -> "%h";
                    case 32 -> "%r";
                    case 64 -> "%rd";
                    case 128 -> "%q";
                    default -> throw new IllegalStateException("bits " + bits);
                };
        return prefix + next++ % (bits == 32 || bits == 64 ? 20 : 8);
    }

    /** Prints all of them, for a comparison with an assembler. */
    public static void main(String[] args) {
        for (Form form : InstructionTable.forms()) {
            for (String text : of(form)) {
                System.out.println(text + "\t" + form.section() + " " + form.text());
            }
        }
    }
}
