package facet.ptx.rewrite;

import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.SpecialRegister;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What makes rewriting wrong, instruction by instruction. */
final class Causes {
    /** Functions that no text defines and that do not know in which block they are called. */
    static final Set<String> HARMLESS = Set.of("vprintf", "malloc", "free", "__assertfail");

    private static final Set<String> CLUSTER_DIRECTIVES =
            Set.of("reqnctapercluster", "explicitcluster", "blocksareclusters", "maxclusterrank");

    private Causes() {}

    static @Nullable String of(Function kernel) {
        for (Function.Directive each : kernel.directives()) {
            if (CLUSTER_DIRECTIVES.contains(each.name())) {
                return "." + each.name() + " makes its blocks clusters, which cannot be parted";
            }
        }
        return null;
    }

    /** In both forms. */
    static @Nullable String of(Instruction instruction) {
        return switch (instruction.opcode()) {
            case MAPA, GETCTARANK, CLUSTERLAUNCHCONTROL ->
                    instruction.mnemonic() + " is about clusters, which cannot be parted";
            default -> {
                if (instruction.opcode() == Opcode.BARRIER && instruction.has(Modifier.CLUSTER)
                        || instruction.has(Modifier.MULTICAST_CLUSTER)) {
                    yield instruction.mnemonic() + " is about clusters, which cannot be parted";
                }
                yield null;
            }
        };
    }

    /** In both forms. */
    static @Nullable String of(Operand.Special special) {
        SpecialRegister register = special.register();
        String text = register.text(special.lane());
        return switch (register) {
            case GRIDID -> "reads " + text + ", which is another one for each part of the launch";
            case SMID, NSMID ->
                    "reads " + text + ": what it makes of that depends on all blocks being there";
            case IS_EXPLICIT_CLUSTER,
                    CLUSTERID,
                    NCLUSTERID,
                    CLUSTER_CTAID,
                    CLUSTER_NCTAID,
                    CLUSTER_CTARANK,
                    CLUSTER_NCTARANK ->
                    "reads " + text + "; clusters cannot be parted";
            case ENVREG ->
                    "reads "
                            + text
                            + ", as grid synchronisation does, for which all blocks must be there";
            case CURRENT_GRAPH_EXEC -> "reads " + text + ", as launches of graphs by kernels do";
            default -> null;
        };
    }

    /** Of a function that no text defines. */
    static @Nullable String ofExtern(String name) {
        if (HARMLESS.contains(name)) {
            return null;
        }
        if (name.startsWith("cudaCG")) {
            return "calls " + name + ": for grid synchronisation all blocks must be there";
        }
        if (name.startsWith("cuda") || name.startsWith("__cudaCDP2")) {
            return "calls " + name + " of the device runtime, as kernels that launch kernels do";
        }
        return "calls "
                + name
                + ", which this text does not define and which may ask for its block; link first";
    }

    /** In the form {@link BlockForm#PERSISTENT} alone. */
    static @Nullable String ofPersistent(Instruction instruction, boolean kernel) {
        return switch (instruction.opcode()) {
            case MBARRIER ->
                    instruction.mnemonic()
                            + " leaves a barrier in shared memory, which the next block would find";
            case CP ->
                    instruction.has(Modifier.BULK) || instruction.has(Modifier.ARRIVE)
                            ? instruction.mnemonic()
                                    + " may end in the shared memory of the next block"
                            : null;
            case WGMMA, TCGEN05, SETMAXNREG ->
                    instruction.mnemonic() + " may last into the next block";
            case ALLOCA ->
                    kernel ? "alloca in a kernel takes more of the stack with each block" : null;
            case BAR, BARRIER ->
                    instruction.has(Modifier.ARRIVE)
                            ? instruction.mnemonic()
                                    + " does not wait: what is left over would count in the next"
                                    + " block"
                            : null;
            default -> null;
        };
    }
}
