package facet.ptx.rewrite;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Statement;
import facet.ptx.Suffix;
import facet.ptx.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Barriers at which threads that have ended their block take part, since nobody exits between
 * blocks. Each barrier combines who is still at work: those say yes, who has ended says no and
 * comes again until nobody said yes.
 *
 * <p>Where the program's barriers combine predicates there is a second step that counts them, in
 * which threads that have ended count for nothing: as those that have exited.
 *
 * @param combines whether there is a second step, the same for all that may meet
 */
record Joining(BodyNames names, int number, boolean combines) {

    /** In place of a barrier of all threads. */
    List<Statement> barrier(Instruction barrier) {
        Instruction.Guard guard = barrier.guard();
        List<Statement> code = new ArrayList<>();
        code.add(step(guard, names.yes, names.predicate));
        if (!combines) {
            return code;
        }
        if (barrier.has(Modifier.SYNC)) {
            code.add(count(guard, names.word, new Operand.NotPredicate(names.yes)));
            return code;
        }
        Operand predicate = barrier.operand(2);
        if (barrier.has(Modifier.POPC)) {
            code.add(count(guard, barrier.operand(0), predicate));
        } else {
            boolean all = barrier.has(Modifier.AND);
            code.add(count(guard, names.word, all ? not(predicate) : predicate));
            code.add(
                    Code.guarded(
                            guard,
                            Opcode.SETP,
                            List.of(all ? Modifier.EQ : Modifier.NE, Type.U32),
                            barrier.operand(0),
                            names.word,
                            Code.number(0)));
        }
        return code;
    }

    /** Where threads wait that have ended their block; they go on when all have. */
    List<Statement> meeting() {
        Operand no = new Operand.NotPredicate(names.yes);
        Instruction.Guard others = Code.when(names.predicate);
        List<Statement> code = new ArrayList<>();
        code.add(step(null, no, names.predicate));
        if (combines) {
            code.add(count(others, names.word, no));
        }
        code.add(Code.guarded(others, Opcode.BRA, List.of(), Code.symbol(names.meet)));
        return code;
    }

    private static Operand not(Operand predicate) {
        return predicate instanceof Operand.NotPredicate negated
                ? negated.predicate()
                : new Operand.NotPredicate((Register) predicate);
    }

    private Instruction step(Instruction.@Nullable Guard guard, Operand working, Register result) {
        return red(guard, List.of(Modifier.RED, Modifier.OR, Type.PRED), result, working);
    }

    private Instruction count(
            Instruction.@Nullable Guard guard, Operand result, Operand predicate) {
        return red(guard, List.of(Modifier.RED, Modifier.POPC, Type.U32), result, predicate);
    }

    private Instruction red(
            Instruction.@Nullable Guard guard,
            List<Suffix> suffixes,
            Operand result,
            Operand predicate) {
        return Code.guarded(
                guard, Opcode.BARRIER, suffixes, result, Code.number(number), predicate);
    }
}
