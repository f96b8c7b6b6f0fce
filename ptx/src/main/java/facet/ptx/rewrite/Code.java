package facet.ptx.rewrite;

import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Linkage;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Position;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Statement;
import facet.ptx.Suffix;
import facet.ptx.Type;
import facet.ptx.Variable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statements that are added, in few words. Only names of registers are printed, not their ids. */
final class Code {
    private Code() {}

    /** The same with another body. */
    static Function with(Function function, List<Statement> body) {
        return new Function(
                function.position(),
                function.linkage(),
                function.kernel(),
                function.name(),
                function.results(),
                function.parameters(),
                function.directives(),
                List.copyOf(body));
    }

    static Register register(String name, Type type) {
        return new Register(name, type, 1, -1);
    }

    static Statement declare(Type type, List<String> names) {
        return new Statement.Registers(
                Position.NONE,
                type,
                1,
                names.stream().map(each -> new Statement.Registers.Name(each, 0)).toList());
    }

    static Instruction of(Opcode opcode, List<Suffix> suffixes, Operand... operands) {
        return guarded(null, opcode, suffixes, operands);
    }

    static Instruction guarded(
            Instruction.@Nullable Guard guard,
            Opcode opcode,
            List<Suffix> suffixes,
            Operand... operands) {
        return new Instruction(Position.NONE, guard, opcode, suffixes, List.of(operands));
    }

    static Instruction.Guard when(Register predicate) {
        return new Instruction.Guard(predicate, false);
    }

    static Instruction.Guard unless(Register predicate) {
        return new Instruction.Guard(predicate, true);
    }

    static Operand number(long value) {
        return new Operand.IntegerImmediate(value, false);
    }

    static Operand at(String symbol, long offset) {
        return new Operand.Address(new Operand.Symbol(symbol, 0), offset);
    }

    static Operand at(Register base, long offset) {
        return new Operand.Address(base, offset);
    }

    static Operand symbol(String name) {
        return new Operand.Symbol(name, 0);
    }

    static Statement label(String name) {
        return new Statement.Label(Position.NONE, name);
    }

    static Variable variable(Space space, Type type, String name) {
        return new Variable(
                Position.NONE, Linkage.NONE, space, 0, type, 1, name, List.of(), List.of(), null);
    }

    static Variable bytes(Space space, int alignment, String name, long bytes) {
        return new Variable(
                Position.NONE,
                Linkage.NONE,
                space,
                alignment,
                Type.B8,
                1,
                name,
                List.of(bytes),
                List.of(),
                null);
    }
}
