package facet.bench.isolation;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What a hostile slice does: {@code bench/neighbours}.
 *
 * @param name as {@code --only} and the program take it
 * @param text what it does
 */
record Attack(String name, String text) {
    static final java.util.List<Attack> ALL =
            java.util.List.of(
                    new Attack("call-tree", "a kernel of calls without a loop that never ends"),
                    new Attack("endless", "a kernel that never ends"),
                    new Attack("streams", "endless kernels in 6,000 streams"),
                    new Attack("labels", "compiling kernels of 20,000 labels"),
                    new Attack("kernels", "compiling modules of 100,000 kernels"),
                    new Attack("modules", "loading module after module"),
                    new Attack("strings", "printf of strings of 400 MB"),
                    new Attack("local-memory", "512 KiB of local memory for each of 1,024 threads"),
                    new Attack("forks", "12 children that keep their parent's memory"),
                    new Attack("allocations", "allocating and freeing"),
                    new Attack("launches", "empty kernels, as many as there can be"),
                    new Attack("copies", "copies of 64 MiB"),
                    new Attack("processes", "processes that use the device, 32 at once"),
                    new Attack("beginners", "processes that only begin, 64 at once"),
                    new Attack("sessions", "500 processes with a context"),
                    new Attack("silence", "1,000 connections without a session"),
                    new Attack("malformed", "sessions that write anything into their rings"),
                    new Attack("history", "32 HTTP clients that ask for the history"),
                    new Attack("half-requests", "300 HTTP connections with half a request"));

    static Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        ALL.forEach(each -> names.add(each.name));
        return names;
    }
}
