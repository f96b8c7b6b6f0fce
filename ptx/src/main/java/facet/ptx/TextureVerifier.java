package facet.ptx;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Holds textures, surfaces and their coordinates against their pattern. */
final class TextureVerifier {
    private final VerifierScope scope;
    private final Instruction instruction;
    private final OperandPattern pattern;
    private final ScalarVerifier scalars;

    TextureVerifier(
            VerifierScope scope,
            Instruction instruction,
            OperandPattern pattern,
            ScalarVerifier scalars) {
        this.scope = scope;
        this.instruction = instruction;
        this.pattern = pattern;
        this.scalars = scalars;
    }

    @Nullable String indexed(Operand operand) {
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
            String problem =
                    scalars.problem(coordinates.get(i), layer || type == null ? Type.U32 : type);
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
    @Nullable String geometry(Operand operand) {
        var elements = TextureOperands.elements(operand);
        int wanted = Geometry.of(instruction).coordinates();
        if (!TextureOperands.isCount(elements.size(), wanted)) {
            return "has %d elements; %d are wanted".formatted(elements.size(), wanted);
        }
        for (Operand each : elements) {
            String problem = scalars.problem(each, Objects.requireNonNull(pattern.type()));
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }
}
