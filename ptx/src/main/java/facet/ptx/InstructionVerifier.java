package facet.ptx;

import facet.ptx.PtxException.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds one instruction against the forms of its opcode. */
final class InstructionVerifier {
    private final VerifierScope scope;

    InstructionVerifier(VerifierScope scope) {
        this.scope = scope;
    }

    void verify(Instruction instruction) {
        Work.steps(4);
        Instruction.Guard guard = instruction.guard();
        if (guard != null && guard.predicate().type() != Type.PRED) {
            throw invalid(
                    instruction,
                    "is guarded by " + guard.predicate().name() + ", which must be declared .pred");
        }
        List<Form> forms = InstructionTable.forms(instruction.opcode());
        if (forms.isEmpty()) {
            throw PtxException.lacking(
                    instruction.position(),
                    instruction.mnemonic(),
                    instruction.mnemonic() + ": " + Advice.of(instruction.opcode()));
        }
        Problem worst = null;
        for (Form form : forms) {
            if (!form.accepts(instruction.suffixes())) {
                continue;
            }
            Problem problem = problem(form, instruction);
            if (problem == null) {
                return;
            }
            if (worst == null || problem.operand > worst.operand) {
                worst = problem;
            }
        }
        throw worst == null ? noForm(instruction, forms) : invalid(instruction, worst.text);
    }

    /** The form that goes wrong at the last operand is the one that was meant; -1 is before all. */
    private record Problem(int operand, String text) {}

    private static PtxException noForm(Instruction instruction, List<Form> forms) {
        Form nearest = forms.getFirst();
        for (Form form : forms) {
            if (form.distance(instruction.suffixes()) < nearest.distance(instruction.suffixes())) {
                nearest = form;
            }
        }
        String message =
                instruction.mnemonic()
                        + " is no form of "
                        + instruction.opcode().text()
                        + " that Facet runs. The nearest is "
                        + nearest.syntax()
                        + " (PTX ISA "
                        + nearest.section()
                        + "): "
                        + nearest.misfit(instruction.suffixes());
        if (foreign(instruction, forms)) {
            return PtxException.lacking(
                    instruction.position(),
                    instruction.mnemonic(),
                    message + "; " + Advice.of(instruction.opcode()));
        }
        return new PtxException(Kind.INVALID, instruction.position(), message);
    }

    /** Whether a suffix stands in no form of the opcode: PTX that the table lacks. */
    private static boolean foreign(Instruction instruction, List<Form> forms) {
        for (Suffix suffix : instruction.suffixes()) {
            boolean known = false;
            for (Form form : forms) {
                for (Form.Slot slot : form.slots()) {
                    known |= slot.accepted().contains(suffix);
                }
            }
            if (!known) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Problem problem(Form form, Instruction instruction) {
        if (instruction.opcode() == Opcode.CALL) {
            String problem = new CallVerifier(scope).problem(instruction);
            return problem == null ? null : new Problem(0, problem);
        }
        List<OperandPattern> patterns = form.patterns(instruction);
        if (patterns == null) {
            int count = instruction.operands().size();
            return new Problem(-1, "has " + count + " operands; the form is " + form.syntax());
        }
        for (int i = 0; i < patterns.size(); i++) {
            OperandPattern pattern = patterns.get(i);
            Operand operand = instruction.operand(i);
            String problem = new OperandVerifier(scope, instruction, pattern).problem(operand);
            if (problem != null) {
                boolean other =
                        (pattern.kind() == OperandPattern.Kind.PACK)
                                != operand instanceof Operand.Vector;
                return new Problem(
                        other && instruction.opcode() == Opcode.MOV ? -1 : i,
                        "operand " + (i + 1) + " " + problem + "; the form is " + form.syntax());
            }
        }
        if (instruction.opcode() == Opcode.ST
                && instruction.operand(0) instanceof Operand.Address address
                && address.base() instanceof Operand.Symbol symbol
                && scope.isKernelParameter(symbol.name())) {
            return new Problem(
                    0, "writes " + symbol.name() + ", but parameters of a kernel are read only");
        }
        String problem = sizes(instruction);
        if (problem == null) {
            problem = MatrixVerifier.problem(instruction);
        }
        if (problem == null && instruction.opcode() == Opcode.LD) {
            problem = parameter(instruction);
        }
        return problem == null ? null : new Problem(patterns.size(), problem);
    }

    /** Parameters of kernels are read without a check: where they lie is known here. */
    private @Nullable String parameter(Instruction load) {
        if (!(load.operand(1) instanceof Operand.Address address)
                || !(address.base() instanceof Operand.Symbol symbol)
                || !scope.isKernelParameter(symbol.name())) {
            return null;
        }
        Variable variable = scope.variable(symbol.name());
        long width = Extent.product(load.type().bytes(), lanes(load));
        return variable == null || Extent.contains(variable.bytes(), address.offset(), width)
                ? null
                : "reads %d bytes at %s%+d, but the parameter has %d"
                        .formatted(width, symbol.name(), address.offset(), variable.bytes());
    }

    private static int lanes(Instruction instruction) {
        return instruction.has(Modifier.V8)
                ? 8
                : instruction.has(Modifier.V4) ? 4 : instruction.has(Modifier.V2) ? 2 : 1;
    }

    private static @Nullable String sizes(Instruction instruction) {
        Type type = instruction.typeAt(0);
        boolean memory = instruction.opcode() == Opcode.LD || instruction.opcode() == Opcode.ST;
        if (memory && type != null) {
            if (instruction.has(Modifier.V8) && type.bits() != 32) {
                return "takes .v8 only with a type of 32 bits";
            }
            if (instruction.has(Modifier.V4) && type.bits() > 64
                    || instruction.has(Modifier.V2) && type.bits() > 64) {
                return "moves at most 32 bytes; use fewer lanes";
            }
        }
        boolean surface =
                instruction.opcode() == Opcode.SULD || instruction.opcode() == Opcode.SUST;
        if (surface && type != null && type.bytes(lanes(instruction)) > 16) {
            return "moves at most 16 bytes; use fewer lanes";
        }
        if (instruction.opcode() == Opcode.ALLOCA
                && instruction.operands().size() > 2
                && instruction.operand(2) instanceof Operand.IntegerImmediate alignment
                && !VariableParser.isAlignment(alignment.value())) {
            return "has the alignment " + alignment.value() + ", which must be a power of two";
        }
        if (instruction.opcode() == Opcode.SETMAXNREG
                && instruction.operand(0) instanceof Operand.IntegerImmediate count
                && (count.value() < 24 || count.value() > 256 || count.value() % 8 != 0)) {
            return "asks for "
                    + count.value()
                    + " registers; it must be a multiple of 8 from 24 to 256";
        }
        if (instruction.opcode() == Opcode.CP && instruction.has(Modifier.BULK)) {
            return bulk(instruction);
        }
        if (instruction.opcode() == Opcode.CP
                && instruction.operands().size() > 2
                && instruction.operand(2) instanceof Operand.IntegerImmediate size) {
            boolean small = size.value() == 4 || size.value() == 8;
            if (size.value() != 16 && !(small && instruction.has(Modifier.CA))) {
                return "copies 4, 8 or 16 bytes (.ca) or 16 bytes (.cg), not " + size.value();
            }
        }
        return null;
    }

    private static @Nullable String bulk(Instruction copy) {
        return copy.operands().size() > 2
                        && copy.operand(2) instanceof Operand.IntegerImmediate size
                        && (size.value() & 15) != 0
                ? "copies " + size.value() + " bytes; the size must be a multiple of 16"
                : null;
    }

    static PtxException invalid(Instruction instruction, String problem) {
        return new PtxException(
                Kind.INVALID, instruction.position(), instruction.mnemonic() + " " + problem);
    }
}
