package facet.ptx.rewrite;

import facet.ptx.Work;
import facet.ptx.rewrite.Facts.Obstacle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What bodies need and meet together with all that they call. Calls through pointers lead to one
 * node more, and from there to every function whose address is taken.
 *
 * <p>Every set grows by single bits, and an obstacle is found once: the work is linear in calls.
 */
final class Reach {
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<List<Integer>> callers = new ArrayList<>();
    private final int pointer;
    private final int[] values;
    private final int[] facts;
    private final @Nullable Obstacle[] always;
    private final @Nullable Obstacle[] persistent;

    private Reach(Scan scan) {
        int count = scan.bodies.size() + 1;
        pointer = count - 1;
        values = new int[count];
        facts = new int[count];
        always = new Obstacle[count];
        persistent = new Obstacle[count];
        for (int i = 0; i < count; i++) {
            callers.add(new ArrayList<>());
        }
        scan.bodies.keySet().forEach(name -> numbers.put(name, numbers.size()));
    }

    /**
     * @param hidden values that are wanted at all
     */
    static Reach of(Scan scan, int hidden) {
        Reach reach = new Reach(scan);
        reach.start(scan, hidden);
        reach.spread(reach.facts, node -> 0);
        reach.spread(reach.always);
        reach.spread(reach.persistent);
        // Whatever is called through a pointer takes the same, so that one call fits all.
        boolean[] taken = new boolean[reach.values.length];
        for (String each : scan.addresses) {
            Integer number = reach.numbers.get(each);
            if (number != null) {
                taken[number] = true;
            }
        }
        int before;
        do {
            before = reach.values[reach.pointer];
            reach.spread(reach.values, node -> taken[node] ? reach.values[reach.pointer] : 0);
        } while (reach.values[reach.pointer] != before);
        return reach;
    }

    private void start(Scan scan, int hidden) {
        for (Map.Entry<String, Facts> each : scan.bodies.entrySet()) {
            int number = number(each.getKey());
            Facts body = each.getValue();
            values[number] = body.own & hidden;
            facts[number] = body.own;
            always[number] = body.always;
            persistent[number] = body.persistent;
            for (String callee : body.callees) {
                Integer called = numbers.get(callee);
                if (called != null) {
                    callers.get(called).add(number);
                }
            }
            if (body.indirect) {
                callers.get(pointer).add(number);
            }
        }
        for (String each : scan.addresses) {
            Integer number = numbers.get(each);
            Facts body = scan.bodies.get(each);
            if (number != null && body != null && !body.function.kernel()) {
                callers.get(number).add(pointer);
            }
        }
    }

    /** To callers, until nothing changes; a node has what the operator says besides. */
    private void spread(int[] sets, IntUnaryOperator besides) {
        ArrayDeque<Integer> open = new ArrayDeque<>();
        for (int i = 0; i < sets.length; i++) {
            sets[i] |= besides.applyAsInt(i);
            if (sets[i] != 0) {
                open.add(i);
            }
        }
        while (!open.isEmpty()) {
            int node = open.remove();
            for (int caller : callers.get(node)) {
                Work.step();
                if ((sets[caller] | sets[node]) != sets[caller]) {
                    sets[caller] |= sets[node];
                    open.add(caller);
                }
            }
        }
    }

    private void spread(@Nullable Obstacle[] obstacles) {
        ArrayDeque<Integer> open = new ArrayDeque<>();
        for (int i = 0; i < obstacles.length; i++) {
            if (obstacles[i] != null) {
                open.add(i);
            }
        }
        while (!open.isEmpty()) {
            int node = open.remove();
            for (int caller : callers.get(node)) {
                Work.step();
                if (obstacles[caller] == null) {
                    obstacles[caller] = obstacles[node];
                    open.add(caller);
                }
            }
        }
    }

    private int number(String name) {
        Integer number = numbers.get(name);
        if (number == null) {
            throw new IllegalStateException("no body: " + name);
        }
        return number;
    }

    /** What a body needs of {@link Hidden}, and a function is given. */
    int values(String name) {
        Integer number = numbers.get(name);
        return number == null ? 0 : values[number];
    }

    /** What every call through a pointer gives. */
    int pointerValues() {
        return values[pointer];
    }

    /** All bits of {@link Hidden} that hold in the body or in what it calls. */
    int facts(String name) {
        return facts[number(name)];
    }

    /** The same of what it calls alone. */
    int calledFacts(Facts body) {
        int found = body.indirect ? facts[pointer] : 0;
        for (String each : body.callees) {
            found |= facts[number(each)];
        }
        return found;
    }

    /** What one call leads to. */
    int pointerFacts() {
        return facts[pointer];
    }

    @Nullable Obstacle obstacle(String name, BlockForm form) {
        Obstacle first = always[number(name)];
        return first != null || form == BlockForm.RANGES ? first : persistent[number(name)];
    }
}
