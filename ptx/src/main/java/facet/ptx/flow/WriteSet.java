package facet.ptx.flow;

import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Module;
import facet.ptx.Operand;
import facet.ptx.Space;
import java.util.Collections;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;

/**
 * Through which of its parameters a kernel may change global memory: stores, atomics, reductions
 * and what discards data, in the kernel and in every function it calls.
 *
 * <p>It never says too little, with one rule taken from C: an address that is a pointer plus a
 * number lies in the object of the pointer. Where an address cannot be traced to parameters or
 * variables it says everything: it was loaded from global or constant memory, is put together from
 * pieces, is handed to a function without a body or comes from one, or a function is called through
 * a register. A parameter of 64 bits that is added to a pointer unscaled is named as well, as
 * either may be the pointer; its value shows that it is none.
 *
 * @param everything any memory may be written; then the sets are only what is known besides
 * @param parameters addresses that the kernel's parameters hold
 * @param variables of the module, by name
 */
public record WriteSet(boolean everything, Set<Target> parameters, Set<String> variables) {

    /**
     * The address at a byte offset of a parameter.
     *
     * @param parameter from 0
     * @param offset in bytes; {@link #ANYWHERE} when it is not known
     */
    public record Target(int parameter, long offset) {
        public static final long ANYWHERE = -1;
    }

    /** Functions of the device runtime that write no memory of the program. */
    private static final Set<String> HARMLESS = Set.of("vprintf", "free", "malloc", "__assertfail");

    public static WriteSet of(Module module, Function kernel) {
        ProvenanceFlow flow = ProvenanceFlow.of(module, kernel);
        Collector collector = new Collector(flow);
        for (Body body : flow.bodies()) {
            for (Instruction instruction : body.instructions()) {
                collector.add(body, instruction);
            }
        }
        return new WriteSet(
                collector.everything,
                Collections.unmodifiableSet(collector.parameters),
                Collections.unmodifiableSet(collector.variables));
    }

    static boolean isHarmless(String function) {
        return HARMLESS.contains(function);
    }

    private static final class Collector {
        final ProvenanceFlow flow;
        boolean everything;
        final Set<Target> parameters =
                new TreeSet<>(
                        Comparator.comparingInt(Target::parameter)
                                .thenComparingLong(Target::offset));
        final Set<String> variables = new TreeSet<>();

        Collector(ProvenanceFlow flow) {
            this.flow = flow;
        }

        void add(Body body, Instruction instruction) {
            switch (instruction.opcode()) {
                case ST, RED, DISCARD -> write(body, instruction, instruction.operand(0));
                case ATOM -> write(body, instruction, instruction.operand(1));
                case WMMA -> {
                    if (instruction.has(Modifier.STORE)) {
                        write(body, instruction, instruction.operand(0));
                    }
                }
                case CP -> everything |= !instruction.has(Modifier.ASYNC) || isBulk(instruction);
                case SUST, SURED, MULTIMEM, TENSORMAP, TCGEN05, CLUSTERLAUNCHCONTROL ->
                        everything = true;
                case CALL -> everything |= !flow.isKnownCall(instruction);
                default -> {}
            }
        }

        private static boolean isBulk(Instruction instruction) {
            return instruction.has(Modifier.BULK);
        }

        private void write(Body body, Instruction instruction, Operand address) {
            Space space = instruction.space();
            if (space != null && space != Space.GLOBAL) {
                return;
            }
            Provenance provenance = flow.address(body, address);
            everything |= provenance.unknown() || provenance.roots().isEmpty();
            for (Provenance.Root root : provenance.roots()) {
                switch (root) {
                    case Provenance.Root.Parameter parameter ->
                            parameters.add(new Target(parameter.index(), parameter.offset()));
                    case Provenance.Root.Global global -> variables.add(global.name());
                    case Provenance.Root.ParameterSpace _ -> everything = true;
                    case Provenance.Root.Own _ -> {}
                }
            }
        }
    }
}
