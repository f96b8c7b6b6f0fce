package facet.jit.pass;

import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Space;
import facet.ptx.SpecialRegister;
import facet.ptx.Work;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether a kernel can tell that it runs in a cluster. One that cannot is the same with clusters
 * and without, and its shared memory has no addresses for other blocks.
 */
public final class ClusterUse {
    private static final Set<SpecialRegister> REGISTERS =
            EnumSet.of(
                    SpecialRegister.IS_EXPLICIT_CLUSTER,
                    SpecialRegister.CLUSTERID,
                    SpecialRegister.NCLUSTERID,
                    SpecialRegister.CLUSTER_CTAID,
                    SpecialRegister.CLUSTER_NCTAID,
                    SpecialRegister.CLUSTER_CTARANK,
                    SpecialRegister.CLUSTER_NCTARANK);

    private ClusterUse() {}

    /** Whether the kernel, or what it calls, can. */
    public static boolean in(CallGraph graph, Function kernel) {
        Set<Function> reached = new LinkedHashSet<>(graph.reachable(kernel));
        boolean indirect = reached.stream().anyMatch(each -> callsIndirectly(graph, each));
        if (indirect) {
            graph.addressTaken().forEach(each -> reached.addAll(graph.reachable(each)));
        }
        for (Function each : reached) {
            List<Instruction> instructions = graph.body(each).instructions();
            Work.steps(instructions.size());
            if (instructions.stream().anyMatch(ClusterUse::isOne)) {
                return true;
            }
        }
        return false;
    }

    private static boolean callsIndirectly(CallGraph graph, Function function) {
        return graph.body(function).instructions().stream()
                .anyMatch(
                        each -> each.opcode() == Opcode.CALL && CallGraph.calleeOf(each).isEmpty());
    }

    private static boolean isOne(Instruction instruction) {
        boolean barrier =
                instruction.opcode() == Opcode.BARRIER && instruction.has(Modifier.CLUSTER);
        return barrier
                || instruction.opcode() == Opcode.MAPA
                || instruction.opcode() == Opcode.GETCTARANK
                || instruction.suffixes().contains(Space.SHARED_CLUSTER)
                || instruction.operands().stream().anyMatch(ClusterUse::isRegister);
    }

    private static boolean isRegister(Operand operand) {
        return operand instanceof Operand.Special special
                ? REGISTERS.contains(special.register())
                : operand.parts().stream().anyMatch(ClusterUse::isRegister);
    }
}
