package facet.bench.isolation;

import java.util.LinkedHashMap;
import java.util.Map;

/** The terms of a slice, as the control socket takes them. */
record Share(String policy, int compute, int priority) {
    /** No promise: what others leave; all when there are no others. */
    static final Share REST = new Share("", 0, 0);

    static Share fixed(int compute) {
        return new Share("fixed", compute, 0);
    }

    static Share burst(int compute) {
        return new Share("burst", compute, 0);
    }

    static Share priority(int priority) {
        return new Share("priority", 0, priority);
    }

    Map<String, String> arguments() {
        Map<String, String> arguments = new LinkedHashMap<>();
        if (!policy.isEmpty()) {
            arguments.put("policy", policy);
        }
        if (compute > 0) {
            arguments.put("compute", Integer.toString(compute));
        }
        if (policy.equals("priority")) {
            arguments.put("priority", Integer.toString(priority));
            arguments.put("compute", "0"); // what was promised before does not stay
        }
        return arguments;
    }
}
