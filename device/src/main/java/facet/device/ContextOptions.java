package facet.device;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * @param name for logs: a session or slice
 * @param memory bytes the context may allocate in all
 * @param heap bytes of it set aside for the kernels' own malloc
 * @param localPerThread bytes of stack and local memory a thread may use
 * @param output receives what kernels print, in whole pieces, on a device thread
 * @param faults receives one line for each kernel that ends in an error
 * @param space where the memory is, or null when the device is to choose
 * @param share whose work it is, or null
 */
public record ContextOptions(
        String name,
        long memory,
        long heap,
        int localPerThread,
        Consumer<String> output,
        Consumer<String> faults,
        @Nullable AddressSpace space,
        Arbiter.@Nullable Share share) {

    public static ContextOptions of(String name, long memory) {
        return new ContextOptions(
                name,
                memory,
                8L << 20,
                64 << 10,
                System.out::print,
                System.err::println,
                null,
                null);
    }

    public ContextOptions withOutput(Consumer<String> sink) {
        return new ContextOptions(name, memory, heap, localPerThread, sink, faults, space, share);
    }

    public ContextOptions withFaults(Consumer<String> sink) {
        return new ContextOptions(name, memory, heap, localPerThread, output, sink, space, share);
    }

    public ContextOptions withSpace(AddressSpace given) {
        return new ContextOptions(name, memory, heap, localPerThread, output, faults, given, share);
    }

    public ContextOptions withShare(Arbiter.Share given) {
        return new ContextOptions(name, memory, heap, localPerThread, output, faults, space, given);
    }
}
