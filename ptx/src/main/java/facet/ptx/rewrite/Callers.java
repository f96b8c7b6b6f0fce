package facet.ptx.rewrite;

import facet.ptx.Module;
import facet.ptx.Work;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which kernels and functions may come to a function that has no body in the module, by themselves
 * or by what they call. Who calls through a pointer, or launches, may come to everything whose
 * address is taken.
 */
public final class Callers {
    /** Stands for calls through pointers; no function has that name. */
    private static final String POINTER = "";

    /** Callee to callers. */
    private final Map<String, List<String>> callers = new HashMap<>();

    private Callers(Scan scan) {
        scan.bodies.forEach((name, facts) -> {
            facts.callees.forEach(each -> add(each, name));
            for (String each : facts.externs) {
                add(each, name);
                if (!Causes.HARMLESS.contains(each)) {
                    add(POINTER, name); // it may launch, or call back
                }
            }
            if (facts.indirect) {
                add(POINTER, name);
            }
        });
        scan.addresses.forEach(each -> add(each, POINTER));
    }

    public static Callers of(Module module) {
        return new Callers(Scan.of(module));
    }

    private void add(String callee, String caller) {
        callers.computeIfAbsent(callee, each -> new ArrayList<>()).add(caller);
    }

    /** The names of all that may come to one of these functions. */
    public Set<String> to(Set<String> functions) {
        Set<String> found = new HashSet<>();
        ArrayDeque<String> open = new ArrayDeque<>(functions);
        while (!open.isEmpty()) {
            for (String each : callers.getOrDefault(open.remove(), List.of())) {
                Work.step();
                if (found.add(each)) {
                    open.add(each);
                }
            }
        }
        return found;
    }
}
