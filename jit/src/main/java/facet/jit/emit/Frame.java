package facet.jit.emit;

import facet.ptx.Variable;
import facet.ptx.flow.Body;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where a body keeps its variables in the thread's local memory.
 *
 * <pre>
 *   kernel     | local and param variables      |
 *   function   | parameters | results | local and param variables |
 *              ^ the callee's part begins where the caller's ends
 * </pre>
 */
final class Frame {
    private final Map<String, Integer> offsets = new HashMap<>();
    private final Map<String, Variable> variables = new HashMap<>();
    private int size;

    static Frame ofKernel(Body body) {
        Frame frame = new Frame();
        frame.addBody(body);
        return frame;
    }

    static Frame ofFunction(Body body) {
        Frame frame = arguments(body.function().parameters(), body.function().results());
        frame.addBody(body);
        return frame;
    }

    /**
     * The part that caller and callee agree on; named by position, since a prototype names none.
     */
    static Frame arguments(List<Variable> parameters, List<Variable> results) {
        Frame frame = new Frame();
        for (int i = 0; i < parameters.size(); i++) {
            int at = frame.add(parameters.get(i).name(), parameters.get(i));
            frame.offsets.put("parameter " + i, at);
        }
        for (int i = 0; i < results.size(); i++) {
            int at = frame.add(results.get(i).name(), results.get(i));
            frame.offsets.put("result " + i, at);
        }
        return frame;
    }

    private void addBody(Body body) {
        body.variables()
                .forEach((name, variable) -> {
                    if (Program.isFrame(variable)) {
                        add(name, variable);
                    }
                });
        size = Program.align(size, Program.ALIGNMENT);
    }

    private int add(String name, Variable variable) {
        int offset = Program.align(size, Math.max(variable.effectiveAlignment(), 8));
        offsets.put(name, offset);
        variables.put(name, variable);
        size = Math.toIntExact(offset + Math.max(variable.bytes(), 8));
        return offset;
    }

    boolean has(String name) {
        return offsets.containsKey(name);
    }

    int offset(String name) {
        return offsets.get(name);
    }

    int parameter(int index) {
        return offsets.get("parameter " + index);
    }

    int result(int index) {
        return offsets.get("result " + index);
    }

    Variable variable(String name) {
        return variables.get(name);
    }

    int size() {
        return size;
    }
}
