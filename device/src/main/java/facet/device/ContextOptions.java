package facet.device;

import java.util.function.Consumer;

/**
 * @param name for logs: a session or slice
 * @param memory bytes the context may allocate in all
 * @param heap bytes of it set aside for the kernels' own malloc
 * @param localPerThread bytes of stack and local memory a thread may use
 * @param output receives what kernels print, in whole pieces, on a device thread
 * @param faults receives one line for each kernel that ends in an error
 */
public record ContextOptions(
        String name,
        long memory,
        long heap,
        int localPerThread,
        Consumer<String> output,
        Consumer<String> faults) {

    public static ContextOptions of(String name, long memory) {
        return new ContextOptions(
                name, memory, 8L << 20, 64 << 10, System.out::print, System.err::println);
    }

    public ContextOptions withOutput(Consumer<String> sink) {
        return new ContextOptions(name, memory, heap, localPerThread, sink, faults);
    }

    public ContextOptions withFaults(Consumer<String> sink) {
        return new ContextOptions(name, memory, heap, localPerThread, output, sink);
    }
}
