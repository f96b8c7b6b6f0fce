package facet.jit.emit;

import facet.ptx.Extent;
import facet.ptx.StorageVerifier;
import facet.ptx.Variable;
import facet.ptx.flow.Body;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
        size = (int) Extent.align(size, Program.ALIGNMENT); // bounded by MOST_LOCAL
    }

    private int add(String name, Variable variable) {
        // Inlined functions bring their variables along, so that the verifier has not seen the sum.
        int end = (int) StorageVerifier.frame(size, variable);
        int offset = end - (int) Math.max(variable.bytes(), StorageVerifier.FRAME_SLOT);
        offsets.put(name, offset);
        variables.put(name, variable);
        size = end;
        return offset;
    }

    boolean has(String name) {
        return offsets.containsKey(name);
    }

    int offset(String name) {
        return Objects.requireNonNull(offsets.get(name), name);
    }

    int parameter(int index) {
        return offset("parameter " + index);
    }

    int result(int index) {
        return offset("result " + index);
    }

    Variable variable(String name) {
        return Objects.requireNonNull(variables.get(name), name);
    }

    int size() {
        return size;
    }
}
