package facet.ptx.rewrite;

import facet.ptx.Instruction;
import facet.ptx.Operand;
import java.util.ArrayList;
import java.util.List;

/** The parts of a call: {@code (results), callee, (arguments), prototype}. */
final class Calls {
    private Calls() {}

    /** Which operand says what is called; -1 when there is none. */
    static int callee(Instruction call) {
        List<Operand> operands = call.operands();
        int at = !operands.isEmpty() && operands.getFirst() instanceof Operand.Arguments ? 1 : 0;
        return at < operands.size() ? at : -1;
    }

    static Instruction withMore(Instruction call, List<? extends Operand> more) {
        List<Operand> operands = new ArrayList<>(call.operands());
        int at = callee(call) + 1;
        List<Operand> arguments = new ArrayList<>();
        if (at < operands.size() && operands.get(at) instanceof Operand.Arguments given) {
            arguments.addAll(given.elements());
            operands.remove(at);
        }
        arguments.addAll(more);
        operands.add(at, new Operand.Arguments(List.copyOf(arguments)));
        return new Instruction(
                call.position(),
                call.guard(),
                call.opcode(),
                call.suffixes(),
                List.copyOf(operands));
    }
}
