package facet.ptx.flow;

import facet.ptx.Form;
import facet.ptx.Instruction;
import facet.ptx.InstructionTable;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Which registers an instruction reads and writes, in the order of its operands. */
public final class DefUse {
    /** Opcodes all of whose forms have a result. */
    private static final Set<Opcode> ALWAYS = all(Form::hasResult);

    /** Opcodes whose forms have none; those of bar, barrier and mbarrier differ. */
    private static final Set<Opcode> NEVER = all(form -> !form.hasResult());

    private DefUse() {}

    /** Registers written; one whose single lane is written counts too. */
    public static List<Register> definitions(Instruction instruction) {
        if (!hasResult(instruction)) {
            return List.of();
        }
        Operand result = instruction.operand(0);
        if (result instanceof Register register) {
            return List.of(register);
        }
        List<Register> found = new ArrayList<>(4);
        collect(result, found);
        return found;
    }

    /** Registers read: sources, bases of addresses and the guard; a register may occur twice. */
    public static List<Register> uses(Instruction instruction) {
        List<Register> found = new ArrayList<>(4);
        if (instruction.guard() != null) {
            found.add(instruction.guard().predicate());
        }
        List<Operand> operands = instruction.operands();
        for (int i = hasResult(instruction) ? 1 : 0; i < operands.size(); i++) {
            collect(operands.get(i), found);
        }
        return found;
    }

    /**
     * Whether each definition replaces the whole value: false under a guard and for a single lane
     * of a vector register.
     */
    public static boolean kills(Instruction instruction) {
        if (instruction.guard() != null) {
            return false;
        }
        return !hasResult(instruction) || !hasLane(instruction.operand(0));
    }

    /** Whether operand 0 is written rather than read. */
    public static boolean hasResult(Instruction instruction) {
        if (instruction.operands().isEmpty()) {
            return false;
        }
        Operand first = instruction.operand(0);
        if (instruction.opcode() == Opcode.CALL) {
            return first instanceof Operand.Arguments;
        }
        if (ALWAYS.contains(instruction.opcode())) {
            return true;
        }
        if (NEVER.contains(instruction.opcode())) {
            return false;
        }
        Form form = InstructionTable.find(instruction);
        return form == null ? maybeResult(first) : form.hasResult();
    }

    /** Of an instruction that the table lacks: memory and textures are read, all else written. */
    private static boolean maybeResult(Operand first) {
        return !(first instanceof Operand.Address || first instanceof Operand.Indexed);
    }

    /** Opcodes that have forms in the table, and the condition holds for each of them. */
    private static Set<Opcode> all(Predicate<Form> condition) {
        Set<Opcode> found = EnumSet.noneOf(Opcode.class);
        for (Opcode opcode : Opcode.values()) {
            List<Form> forms = InstructionTable.forms(opcode);
            if (!forms.isEmpty() && forms.stream().allMatch(condition)) {
                found.add(opcode);
            }
        }
        return found;
    }

    private static boolean hasLane(Operand operand) {
        return switch (operand) {
            case Operand.Element _ -> true;
            case Operand.Vector vector -> anyLane(vector.elements());
            case Operand.PredicatePair pair -> hasLane(pair.first()) || hasLane(pair.second());
            case Operand.Arguments arguments -> anyLane(arguments.elements());
            case Register _,
                    Operand.Special _,
                    Operand.IntegerImmediate _,
                    Operand.FloatImmediate _,
                    Operand.Symbol _,
                    Operand.Address _,
                    Operand.NotPredicate _,
                    Operand.Indexed _,
                    Operand.Sink _ ->
                    false;
        };
    }

    private static boolean anyLane(List<Operand> operands) {
        for (Operand each : operands) {
            if (hasLane(each)) {
                return true;
            }
        }
        return false;
    }

    private static void collect(Operand operand, List<Register> found) {
        switch (operand) {
            case Register register -> found.add(register);
            case Operand.Element element -> found.add(element.register());
            case Operand.NotPredicate not -> found.add(not.predicate());
            case Operand.Address address -> {
                if (address.base() != null) {
                    collect(address.base(), found);
                }
            }
            case Operand.Vector vector -> vector.elements().forEach(each -> collect(each, found));
            case Operand.PredicatePair pair -> {
                collect(pair.first(), found);
                collect(pair.second(), found);
            }
            case Operand.Arguments arguments ->
                    arguments.elements().forEach(each -> collect(each, found));
            case Operand.Indexed indexed ->
                    indexed.elements().forEach(each -> collect(each, found));
            case Operand.Special _,
                    Operand.IntegerImmediate _,
                    Operand.FloatImmediate _,
                    Operand.Symbol _,
                    Operand.Sink _ -> {}
        }
    }
}
