package facet.jit;

import facet.jit.runtime.KernelCode;
import facet.jit.runtime.Site;
import java.util.List;

/**
 * A kernel as code, independent of any context.
 *
 * @param symbols module variables whose addresses a launch must bring, in this order
 * @param sharedBytes static shared memory, where dynamic shared memory starts
 * @param localBytes what a thread needs of local memory when it calls no functions
 * @param calls whether it calls functions or allocates on the stack, so that it needs one
 * @param spins whether a thread may wait for another in a loop
 */
public record CompiledKernel(
        String name,
        KernelCode code,
        List<Site> sites,
        int regions,
        int intSlots,
        int longSlots,
        List<String> symbols,
        List<Parameter> parameters,
        int parameterBytes,
        int sharedBytes,
        int localBytes,
        boolean calls,
        boolean spins) {

    /** Place of a parameter in the packed arguments. */
    public record Parameter(int offset, int bytes, int alignment) {}
}
