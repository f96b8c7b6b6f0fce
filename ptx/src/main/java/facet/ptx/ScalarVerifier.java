package facet.ptx;

import org.jspecify.annotations.Nullable;

/** Holds one register, constant or name against its pattern. */
final class ScalarVerifier {
    private final VerifierScope scope;
    private final Instruction instruction;
    private final OperandPattern pattern;

    ScalarVerifier(VerifierScope scope, Instruction instruction, OperandPattern pattern) {
        this.scope = scope;
        this.instruction = instruction;
        this.pattern = pattern;
    }

    @Nullable String problem(Operand operand, Type type) {
        boolean source = !pattern.isResult();
        return switch (operand) {
            case Register register ->
                    register.lanes() > 1
                            ? "is the vector register "
                                    + register.name()
                                    + "; name one lane, as "
                                    + register.name()
                                    + ".x"
                            : register(register, type);
            case Operand.Element element -> register(element.register(), type);
            case Operand.NotPredicate not ->
                    pattern.negatable() ? register(not.predicate(), type) : "must not be negated";
            case Operand.IntegerImmediate _ ->
                    source && TypeRules.takesInteger(type)
                            ? null
                            : source
                                    ? "is an integer constant, but ."
                                            + type.text()
                                            + " is wanted; write it as 0f… or 0d…, or move it to a"
                                            + " register"
                                    : "must be a register";
            case Operand.FloatImmediate constant ->
                    source && TypeRules.takesFloat(type, constant.type())
                            ? null
                            : "must not be a floating-point constant; move it to a register";
            case Operand.Special special -> special(special, type);
            case Operand.Symbol symbol -> symbol(symbol, type);
            case Operand.Sink _ ->
                    pattern.isResult()
                                    && (instruction.opcode() == Opcode.ATOM
                                            || instruction.opcode() == Opcode.MBARRIER)
                            ? null
                            : "must not be _";
            case Operand.Address _,
                    Operand.Vector _,
                    Operand.PredicatePair _,
                    Operand.Arguments _,
                    Operand.Indexed _ ->
                    "must be a register" + (source ? " or constant" : "");
        };
    }

    private @Nullable String register(Register register, Type type) {
        if (TypeRules.fits(register.type(), type, pattern.wider())) {
            return null;
        }
        return "is "
                + register.name()
                + " (."
                + register.type().text()
                + "), but ."
                + type.text()
                + " is wanted; declare it "
                + TypeRules.accepted(type)
                + ", or convert it with mov.b"
                + type.bits()
                + " or cvt";
    }

    private @Nullable String special(Operand.Special special, Type type) {
        boolean predicates = type == Type.PRED && special.register().type() == Type.PRED;
        if (predicates && !pattern.isResult() && instruction.opcode() == Opcode.MOV) {
            return null; // %is_explicit_cluster
        }
        if (!pattern.symbol()) {
            return "must not be " + special.register().text() + "; move it to a register with mov";
        }
        return TypeRules.takesSpecial(type, special.register().type())
                ? null
                : "is "
                        + special.register().text()
                        + " (."
                        + special.register().type().text()
                        + "), but ."
                        + type.text()
                        + " is wanted";
    }

    private @Nullable String symbol(Operand.Symbol symbol, Type type) {
        if (scope.isLabel(symbol.name())) {
            return "must not be a label";
        }
        if (!pattern.symbol()) {
            return "must not be " + symbol.name() + "; move its address to a register with mov";
        }
        if (scope.variable(symbol.name()) == null && scope.function(symbol.name()) == null) {
            return "names " + symbol.name() + ", which is neither a variable nor a function";
        }
        return type.isFloat() || type.bits() < 32
                ? "is an address and needs .u32 or .u64, not ." + type.text()
                : null;
    }
}
