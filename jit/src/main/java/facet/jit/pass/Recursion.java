package facet.jit.pass;

import facet.ptx.Work;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Which functions may call themselves, directly or through others: those in a cycle of the call
 * graph. Tarjan's algorithm with a stack of its own, since chains of calls may be long.
 */
final class Recursion {
    private final Map<String, Set<String>> callees;
    private final Map<String, Integer> number = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> component = new ArrayDeque<>();
    private final Set<String> inComponent = new HashSet<>();
    private final Set<String> found = new HashSet<>();

    private record Visit(String function, Iterator<String> calls) {}

    private Recursion(Map<String, Set<String>> callees) {
        this.callees = callees;
    }

    static Set<String> in(Map<String, Set<String>> callees) {
        Recursion search = new Recursion(callees);
        for (String each : callees.keySet()) {
            if (!search.number.containsKey(each)) {
                search.visitFrom(each);
            }
        }
        return search.found;
    }

    private void visitFrom(String start) {
        Deque<Visit> path = new ArrayDeque<>();
        path.push(enter(start));
        while (!path.isEmpty()) {
            Work.step();
            Visit visit = path.getFirst();
            if (visit.calls().hasNext()) {
                String next = visit.calls().next();
                if (next.equals(visit.function())) {
                    found.add(next);
                } else if (!number.containsKey(next)) {
                    path.push(enter(next));
                } else if (inComponent.contains(next)) {
                    lower(visit.function(), of(number, next));
                }
                continue;
            }
            path.pop();
            if (!path.isEmpty()) {
                lower(path.getFirst().function(), of(lowest, visit.function()));
            }
            leave(visit.function());
        }
    }

    private Visit enter(String function) {
        number.put(function, number.size());
        lowest.put(function, of(number, function));
        component.push(function);
        inComponent.add(function);
        return new Visit(function, Objects.requireNonNull(callees.get(function)).iterator());
    }

    private void lower(String function, int to) {
        lowest.merge(function, to, Math::min);
    }

    /** When nothing before it is reached from here, what lies on top belongs together. */
    private void leave(String function) {
        if (of(lowest, function) != of(number, function)) {
            return;
        }
        boolean several = !component.getFirst().equals(function);
        String member;
        do {
            member = component.pop();
            inComponent.remove(member);
            if (several) {
                found.add(member);
            }
        } while (!member.equals(function));
    }

    private static int of(Map<String, Integer> numbers, String function) {
        return Objects.requireNonNull(numbers.get(function));
    }
}
