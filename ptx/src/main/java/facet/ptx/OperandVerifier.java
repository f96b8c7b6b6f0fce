package facet.ptx;

import org.jspecify.annotations.Nullable;

/** Holds one operand against its pattern; a problem is the rest of a sentence about it. */
final class OperandVerifier {
    private final VerifierScope scope;
    private final Instruction instruction;
    private final OperandPattern pattern;
    private final ScalarVerifier scalars;
    private final TextureVerifier textures;

    OperandVerifier(VerifierScope scope, Instruction instruction, OperandPattern pattern) {
        this.scope = scope;
        this.instruction = instruction;
        this.pattern = pattern;
        this.scalars = new ScalarVerifier(scope, instruction, pattern);
        this.textures = new TextureVerifier(scope, instruction, pattern, scalars);
    }

    @Nullable String problem(Operand operand) {
        return switch (pattern.kind()) {
            case ADDRESS ->
                    operand instanceof Operand.Address address
                            ? address(address)
                            : "must be an address in brackets";
            case IMMEDIATE ->
                    operand instanceof Operand.IntegerImmediate
                            ? null
                            : "must be an integer constant";
            case FLOAT_IMMEDIATE ->
                    operand instanceof Operand.FloatImmediate
                            ? null
                            : "must be a floating-point constant such as 0f3F800000";
            case LABEL ->
                    operand instanceof Operand.Symbol symbol && scope.isLabel(symbol.name())
                            ? null
                            : "must be a label of this function, which "
                                    + (operand instanceof Operand.Symbol symbol
                                            ? symbol.name()
                                            : "it")
                                    + " is not";
            case TARGETS -> targets(operand);
            case PACK -> pack(operand);
            case TEXTURE, SURFACE -> textures.indexed(operand);
            case GEOMETRY -> textures.geometry(operand);
            case VALUE, TWICE, POLICY -> value(operand);
            case CALL -> null;
        };
    }

    private @Nullable String targets(Operand operand) {
        Statement.Targets list =
                operand instanceof Operand.Symbol symbol ? scope.targets(symbol.name()) : null;
        if (list == null || !list.branches()) {
            return "must be the name of a .branchtargets list";
        }
        for (String label : list.names()) {
            if (!scope.isLabel(label)) {
                return "lists " + label + ", which is no label of this function";
            }
        }
        return null;
    }

    private @Nullable String address(Operand.Address address) {
        Operand base = address.base();
        Space space = instruction.opcode() == Opcode.CP ? null : instruction.space();
        if (base == null) {
            return null;
        }
        if (base instanceof Operand.Symbol symbol) {
            Variable variable = scope.variable(symbol.name());
            if (variable == null) {
                return "uses " + symbol.name() + " as an address, but it is no variable";
            }
            if (space != null && !holds(space, variable.space())) {
                return "is in ."
                        + variable.space().text()
                        + " ("
                        + symbol.name()
                        + "), but the instruction accesses ."
                        + space.text();
            }
            return null;
        }
        Register register =
                base instanceof Operand.Element element ? element.register() : (Register) base;
        boolean wide = TypeRules.fits(register.type(), Type.U64, false);
        boolean narrow =
                TypeRules.fits(register.type(), Type.U32, false)
                        && space != Space.GLOBAL
                        && (space != null || instruction.opcode() == Opcode.CP);
        return wide || narrow
                ? null
                : "has the address register "
                        + register.name()
                        + " (."
                        + register.type().text()
                        + "); it must be .b64 or .u64";
    }

    private static boolean holds(Space accessed, Space declared) {
        if (accessed.isShared()) {
            return declared.isShared();
        }
        return accessed.isParam() ? declared.isParam() : accessed == declared;
    }

    /** {@code {a, b}} whose sizes add up to the type. */
    private @Nullable String pack(Operand operand) {
        int bits = instruction.type().bits();
        if (operand instanceof Register register) {
            return register.lanes() > 1 && register.lanes() * register.type().bits() == bits
                    ? null
                    : "must be a vector of " + bits + " bits";
        }
        if (!(operand instanceof Operand.Vector vector)) {
            return "must be 2 or 4 registers in braces";
        }
        int count = vector.elements().size();
        if (count != 2 && count != 4) {
            return "has " + count + " elements in braces; 2 or 4 are accepted";
        }
        for (Operand each : vector.elements()) {
            boolean fits =
                    switch (each) {
                        case Register register ->
                                register.lanes() == 1 && register.type().bits() * count == bits;
                        case Operand.Element element ->
                                element.register().type().bits() * count == bits;
                        case Operand.Sink _ -> pattern.isResult();
                        case Operand.IntegerImmediate _ -> !pattern.isResult();
                        case Operand.FloatImmediate constant ->
                                !pattern.isResult() && constant.type().bits() * count == bits;
                        case Operand.Special _,
                                Operand.Symbol _,
                                Operand.Address _,
                                Operand.Vector _,
                                Operand.NotPredicate _,
                                Operand.PredicatePair _,
                                Operand.Arguments _,
                                Operand.Indexed _ ->
                                false;
                    };
            if (!fits) {
                return "has " + text(each) + " in braces; each must have " + bits / count + " bits";
            }
        }
        return null;
    }

    private @Nullable String value(Operand operand) {
        Type type = pattern.typeIn(instruction);
        if (type == null) {
            return "has no type";
        }
        int lanes = pattern.lanesIn(instruction);
        if (lanes > 1 || pattern.count() > 0) {
            return operand instanceof Operand.PredicatePair pair
                            && pattern.pair() != OperandPattern.Pair.NONE
                    ? pair(pair, vector(pair.first(), type, lanes))
                    : vector(operand, type, lanes);
        }
        if (pattern.vector()
                && operand instanceof Operand.Vector vector
                && vector.elements().size() == 1) {
            return scalars.problem(vector.elements().getFirst(), type);
        }
        if (operand instanceof Operand.PredicatePair pair) {
            if (pattern.pair() == OperandPattern.Pair.NONE) {
                return "must be one register";
            }
            return pair(
                    pair,
                    pair.first() instanceof Operand.Sink
                            ? null
                            : scalars.problem(pair.first(), type));
        }
        if (pattern.pair() == OperandPattern.Pair.REQUIRED) {
            return "must be two registers, written a|b";
        }
        return scalars.problem(operand, type);
    }

    private static @Nullable String pair(
            Operand.PredicatePair pair, @Nullable String problemOfFirst) {
        boolean predicate =
                pair.second() instanceof Operand.Sink
                        || pair.second() instanceof Register second && second.type() == Type.PRED;
        return predicate ? problemOfFirst : "needs a predicate behind '|'";
    }

    private @Nullable String vector(Operand operand, Type type, int lanes) {
        if (operand instanceof Register register) {
            return register.lanes() == lanes
                            && lanes > 1
                            && TypeRules.fits(register.type(), type, pattern.wider())
                    ? null
                    : "must be " + lanes + " registers in braces or a register of so many lanes";
        }
        if (operand instanceof Operand.Special special
                && special.lane() == Operand.Special.WHOLE
                && !pattern.isResult()) {
            return lanes == 4 ? null : "is " + special.register().text() + ", which needs .v4";
        }
        if (!(operand instanceof Operand.Vector vector) || vector.elements().size() != lanes) {
            return "must be " + lanes + " registers in braces";
        }
        for (Operand each : vector.elements()) {
            String problem =
                    each instanceof Operand.Sink && pattern.isResult()
                            ? null
                            : scalars.problem(each, type);
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private static String text(Operand operand) {
        return switch (operand) {
            case Register register -> register.name() + " (." + register.type().text() + ")";
            case Operand.Element element -> element.register().name();
            case Operand.Special _,
                    Operand.IntegerImmediate _,
                    Operand.FloatImmediate _,
                    Operand.Symbol _,
                    Operand.Address _,
                    Operand.Vector _,
                    Operand.NotPredicate _,
                    Operand.PredicatePair _,
                    Operand.Arguments _,
                    Operand.Indexed _,
                    Operand.Sink _ ->
                    "an operand that is no register";
        };
    }
}
