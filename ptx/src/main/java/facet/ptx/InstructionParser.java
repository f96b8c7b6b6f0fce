package facet.ptx;

import facet.ptx.PtxException.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code @guard opcode.suffix operand, operand;} (PTX ISA 4.3.2). */
final class InstructionParser {
    private final Lexer lexer;
    private final OperandParser operands;
    private final List<Suffix> suffixes = new ArrayList<>();
    private final List<Operand> list = new ArrayList<>();
    private boolean firstGeneration;

    InstructionParser(Lexer lexer, OperandParser operands) {
        this.lexer = lexer;
        this.operands = operands;
    }

    /** Whether the module is for sm_10 to sm_13. */
    void firstGeneration(boolean is) {
        firstGeneration = is;
    }

    /** From the {@code @} on. */
    Instruction guarded() {
        lexer.expect('@');
        boolean negated = lexer.accept('!');
        Instruction.Guard guard = new Instruction.Guard(operands.predicate(), negated);
        if (!lexer.is(Lexer.NAME)) {
            throw lexer.expected("an instruction");
        }
        int name = lexer.name;
        Position position = lexer.position();
        lexer.next();
        return instruction(name, position, guard);
    }

    /** The opcode has been read; the current token follows it. */
    Instruction instruction(int name, Position position, Instruction.@Nullable Guard guard) {
        Opcode opcode = Keywords.opcode(name);
        if (opcode == null) {
            throw new PtxException(
                    Kind.SYNTAX,
                    position,
                    "expected an instruction but found '" + lexer.names.text(name) + "'");
        }
        suffixes(opcode, position);
        if (firstGeneration && opcode == Opcode.MAD && suffixes.contains(Type.F32)) {
            modernMad();
        }
        list.clear();
        if (opcode == Opcode.CALL) {
            call();
        } else if (!lexer.is(';')) {
            boolean jumps = opcode == Opcode.BRA || opcode == Opcode.BRX;
            do {
                list.add(operands.operand(jumps));
                unified();
            } while (lexer.accept(','));
        }
        if (!lexer.is(';')) {
            throw lexer.expected(list.isEmpty() ? "an operand or ';'" : "',' or ';'");
        }
        lexer.next();
        return new Instruction(position, guard, opcode, List.copyOf(suffixes), List.copyOf(list));
    }

    /**
     * {@code ld.u32 %r1, [a].unified}: the one suffix that stands behind an operand, the second.
     */
    private void unified() {
        if (lexer.is(Lexer.DOTTED)
                && list.size() == 2
                && list.getLast() instanceof Operand.Address
                && Keywords.suffix(lexer.name) == Modifier.UNIFIED) {
            suffixes.add(Modifier.UNIFIED);
            lexer.next();
        }
    }

    private void suffixes(Opcode opcode, Position position) {
        suffixes.clear();
        while (lexer.is(Lexer.DOTTED)) {
            Suffix suffix = Keywords.suffix(lexer.name);
            if (suffix == null) {
                throw unsupported(opcode, position);
            }
            if (suffix == Modifier.UNIFIED) {
                throw new PtxException(
                        Kind.SYNTAX, lexer.position(), "'.unified' stands behind an address");
            }
            suffixes.add(suffix);
            lexer.next();
        }
    }

    /** On later devices the mad.f32 of the first ones is fma.rn.ftz.f32 (PTX ISA 9.7.3.7). */
    private void modernMad() {
        if (!suffixes.contains(Modifier.RN)) {
            suffixes.addFirst(Modifier.RN);
        }
        if (!suffixes.contains(Modifier.FTZ)) {
            suffixes.add(1, Modifier.FTZ);
        }
    }

    private PtxException unsupported(Opcode opcode, Position position) {
        StringBuilder mnemonic = new StringBuilder(opcode.text());
        for (Suffix suffix : suffixes) {
            mnemonic.append('.').append(suffix.text());
        }
        String unknown = lexer.nameText();
        while (lexer.is(Lexer.DOTTED) && mnemonic.length() < 200) {
            mnemonic.append(lexer.nameText());
            lexer.next();
        }
        return PtxException.lacking(
                position,
                mnemonic.toString(),
                "instruction '" + mnemonic + "' with the unknown part '" + unknown + "'");
    }

    /** {@code (results), callee, (arguments), prototype}; only the callee must be there. */
    private void call() {
        if (lexer.is('(')) {
            list.add(new Operand.Arguments(operands.list('(', ')', false)));
            lexer.expect(',');
        }
        if (!lexer.is(Lexer.NAME)) {
            throw lexer.expected("the function to call");
        }
        list.add(operands.operand(true));
        if (lexer.accept(',')) {
            if (lexer.is('(')) {
                list.add(new Operand.Arguments(operands.list('(', ')', false)));
                if (!lexer.accept(',')) {
                    return;
                }
            }
            if (!lexer.is(Lexer.NAME)) {
                throw lexer.expected("a prototype or target list");
            }
            list.add(operands.operand(true));
        }
    }
}
