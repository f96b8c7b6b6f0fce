package facet.ptx;

import org.jspecify.annotations.Nullable;

/** Holds one operand against its pattern; a problem is the rest of a sentence about it. */
final class OperandVerifier {
    private final VerifierScope scope;
    private final Instruction instruction;
    private final OperandPattern pattern;

    OperandVerifier(VerifierScope scope, Instruction instruction, OperandPattern pattern) {
        this.scope = scope;
        this.instruction = instruction;
        this.pattern = pattern;
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
            case TEXTURE, SURFACE -> indexed(operand);
            case GEOMETRY -> geometry(operand);
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
            return scalar(vector.elements().getFirst(), type);
        }
        if (operand instanceof Operand.PredicatePair pair) {
            if (pattern.pair() == OperandPattern.Pair.NONE) {
                return "must be one register";
            }
            return pair(
                    pair, pair.first() instanceof Operand.Sink ? null : scalar(pair.first(), type));
        }
        if (pattern.pair() == OperandPattern.Pair.REQUIRED) {
            return "must be two registers, written a|b";
        }
        return scalar(operand, type);
    }

    private static @Nullable String pair(
            Operand.PredicatePair pair, @Nullable String problemOfFirst) {
        boolean predicate =
                pair.second() instanceof Operand.Sink
                        || pair.second() instanceof Register second && second.type() == Type.PRED;
        return predicate ? problemOfFirst : "needs a predicate behind '|'";
    }

    private @Nullable String indexed(Operand operand) {
        boolean texture = pattern.kind() == OperandPattern.Kind.TEXTURE;
        if (!(operand instanceof Operand.Indexed list)
                || list.elements().size() < 2
                || list.elements().size() > (texture ? 3 : 2)) {
            return "must be a %s and its coordinates in brackets"
                    .formatted(texture ? "texture" : "surface");
        }
        for (Operand each : list.elements().subList(0, list.elements().size() - 1)) {
            String problem = handle(each);
            if (problem != null) {
                return problem;
            }
        }
        Geometry geometry = Geometry.of(instruction);
        Type type = pattern.typeIn(instruction);
        boolean cube = geometry == Geometry.CUBE || geometry == Geometry.CUBES;
        if (cube && type != Type.F32) {
            return "has coordinates of a cube, which are .f32";
        }
        var coordinates = TextureOperands.elements(list.elements().getLast());
        if (!TextureOperands.isCount(coordinates.size(), geometry.written())) {
            return "has %d coordinates; .%s has %d"
                    .formatted(coordinates.size(), geometry.text(), geometry.written());
        }
        for (int i = 0; i < coordinates.size(); i++) {
            boolean layer = i == 0 && geometry.isLayered();
            String problem = scalar(coordinates.get(i), layer || type == null ? Type.U32 : type);
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    /** A texture, sampler or surface: its variable, or a register that holds which it is. */
    private @Nullable String handle(Operand operand) {
        if (operand instanceof Operand.Symbol symbol) {
            Variable variable = scope.variable(symbol.name());
            return variable != null && variable.type().kind() == Type.Kind.OPAQUE
                    ? null
                    : "names "
                            + symbol.name()
                            + ", which is no .texref, .samplerref or .surfref variable";
        }
        return operand instanceof Register register
                        && TypeRules.fits(register.type(), Type.U64, false)
                ? null
                : "must have a .b64 or .u64 register or a variable before the coordinates";
    }

    /** As many as the geometry has coordinates: offsets and gradients. */
    private @Nullable String geometry(Operand operand) {
        var elements = TextureOperands.elements(operand);
        int wanted = Geometry.of(instruction).coordinates();
        if (!TextureOperands.isCount(elements.size(), wanted)) {
            return "has %d elements; %d are wanted".formatted(elements.size(), wanted);
        }
        for (Operand each : elements) {
            String problem = scalar(each, java.util.Objects.requireNonNull(pattern.type()));
            if (problem != null) {
                return problem;
            }
        }
        return null;
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
                    each instanceof Operand.Sink && pattern.isResult() ? null : scalar(each, type);
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private @Nullable String scalar(Operand operand, Type type) {
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
