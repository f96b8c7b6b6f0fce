package facet.ptx.flow;

import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Variable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The shapes of what an instruction reads; null for a register not reached yet. */
final class ShapeSources {
    private final Body body;
    private final boolean rows;
    private final @Nullable Shape[] shapes;
    private final Map<Integer, Long> constants = new HashMap<>();

    ShapeSources(Body body, boolean rows, @Nullable Shape[] shapes) {
        this.body = body;
        this.rows = rows;
        this.shapes = shapes;
        findConstants();
    }

    /** Registers whose only definition moves a constant. */
    private void findConstants() {
        Map<Integer, Integer> count = new HashMap<>();
        for (Instruction instruction : body.instructions()) {
            for (Register register : DefUse.definitions(instruction)) {
                count.merge(register.id(), 1, Integer::sum);
            }
        }
        for (Instruction instruction : body.instructions()) {
            if (instruction.opcode() == Opcode.MOV
                    && instruction.guard() == null
                    && instruction.operand(0) instanceof Register register
                    && instruction.operand(1) instanceof Operand.IntegerImmediate constant
                    && count.getOrDefault(register.id(), 0) == 1) {
                constants.put(register.id(), constant.value());
            }
        }
    }

    static @Nullable Shape bothUniform(@Nullable Shape a, @Nullable Shape b) {
        if (a == null || b == null) {
            return null;
        }
        return a.isUniform() && b.isUniform() ? Shape.UNIFORM : Shape.VARYING;
    }

    @Nullable Shape of(Operand operand) {
        return switch (operand) {
            case Register register -> shapes[register.id()];
            case Operand.Element element -> shapes[element.register().id()];
            case Operand.NotPredicate not -> shapes[not.predicate().id()];
            case Operand.Special special -> special(special);
            case Operand.IntegerImmediate _, Operand.FloatImmediate _, Operand.Sink _ ->
                    Shape.UNIFORM;
            case Operand.Symbol symbol -> symbol(symbol);
            case Operand.Address address ->
                    address.base() == null ? Shape.UNIFORM : of(address.base());
            case Operand.Vector vector -> all(vector.elements());
            case Operand.PredicatePair pair -> all(List.of(pair.first(), pair.second()));
            case Operand.Arguments arguments -> all(arguments.elements());
            case Operand.Indexed indexed -> all(indexed.elements());
        };
    }

    private @Nullable Shape all(List<Operand> operands) {
        Shape all = Shape.UNIFORM;
        for (Operand each : operands) {
            all = bothUniform(all, of(each));
        }
        return all;
    }

    private Shape special(Operand.Special special) {
        return switch (special.register()) {
            case TID ->
                    switch (special.lane()) {
                        case 0 -> Shape.affine(1, true);
                        case 1, 2 -> rows ? Shape.UNIFORM : Shape.VARYING;
                        case 3 -> Shape.UNIFORM;
                        default -> Shape.VARYING;
                    };
            case NTID,
                    CTAID,
                    NCTAID,
                    NWARPID,
                    NSMID,
                    GRIDID,
                    IS_EXPLICIT_CLUSTER,
                    CLUSTERID,
                    NCLUSTERID,
                    CLUSTER_CTAID,
                    CLUSTER_NCTAID,
                    CLUSTER_CTARANK,
                    CLUSTER_NCTARANK,
                    ENVREG,
                    RESERVED_SMEM_OFFSET_BEGIN,
                    RESERVED_SMEM_OFFSET_END,
                    RESERVED_SMEM_OFFSET_CAP,
                    RESERVED_SMEM_OFFSET,
                    TOTAL_SMEM_SIZE,
                    AGGR_SMEM_SIZE,
                    DYNAMIC_SMEM_SIZE,
                    CURRENT_GRAPH_EXEC ->
                    Shape.UNIFORM;
            case LANEID,
                    WARPID,
                    SMID,
                    LANEMASK_EQ,
                    LANEMASK_LE,
                    LANEMASK_LT,
                    LANEMASK_GE,
                    LANEMASK_GT,
                    CLOCK,
                    CLOCK_HI,
                    CLOCK64,
                    PM,
                    PM64,
                    GLOBALTIMER,
                    GLOBALTIMER_LO,
                    GLOBALTIMER_HI ->
                    Shape.VARYING;
        };
    }

    private Shape symbol(Operand.Symbol symbol) {
        Variable variable = body.variables().get(symbol.name());
        if (variable == null) {
            boolean own = body.function().kernel() || !isParameter(symbol.name());
            return own ? Shape.UNIFORM : Shape.VARYING;
        }
        boolean own = variable.space() == Space.LOCAL || variable.space().isParam();
        return own ? Shape.VARYING : Shape.UNIFORM;
    }

    private boolean isParameter(String name) {
        for (Variable each : body.function().parameters()) {
            if (each.name().equals(name)) {
                return true;
            }
        }
        for (Variable each : body.function().results()) {
            if (each.name().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** The value of an operand that is the same constant always; null for others. */
    @Nullable Long constant(Operand operand) {
        return switch (operand) {
            case Operand.IntegerImmediate immediate -> immediate.value();
            case Register register -> constants.get(register.id());
            default -> null;
        };
    }
}
