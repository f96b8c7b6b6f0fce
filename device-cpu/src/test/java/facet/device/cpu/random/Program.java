package facet.device.cpu.random;

import facet.ptx.Declaration;
import facet.ptx.Function;
import facet.ptx.Module;
import facet.ptx.Variable;
import facet.ptx.flow.Body;
import facet.ptx.flow.Flatten;

import java.util.HashMap;
import java.util.Map;

/** A module as the interpreter wants it: flat bodies, every variable with its place. */
final class Program {
    private final Map<String, Code> functions = new HashMap<>();
    private final Map<String, Integer> shared = new HashMap<>();
    private int sharedBytes;

    /**
     * A function.
     *
     * @param offsets in the frame, of parameters, results and variables in local or param space
     * @param shared offsets of variables in shared memory, those of the module included
     */
    record Code(
            Body body, Map<String, Integer> offsets, int frameBytes, Map<String, Integer> shared) {}

    Program(Module module) {
        for (Declaration each : module.declarations()) {
            if (each instanceof Declaration.Global global && global.variable().space().isShared()) {
                shared.put(global.variable().name(), place(global.variable()));
            }
        }
        for (Declaration each : module.declarations()) {
            if (each instanceof Function function && function.body() != null) {
                functions.put(function.name(), code(function));
            }
        }
    }

    private Code code(Function function) {
        Body body = Flatten.flatten(function);
        Map<String, Integer> offsets = new HashMap<>();
        Map<String, Integer> visible = new HashMap<>(shared);
        int size = 0;
        for (Variable each : function.parameters()) {
            size = frame(offsets, each.name(), each, size);
        }
        for (Variable each : function.results()) {
            size = frame(offsets, each.name(), each, size);
        }
        for (Map.Entry<String, Variable> each : body.variables().entrySet()) {
            Variable variable = each.getValue();
            if (variable.space().isShared()) {
                visible.put(each.getKey(), place(variable));
            } else {
                size = frame(offsets, each.getKey(), variable, size);
            }
        }
        return new Code(body, offsets, align(size, 16), visible);
    }

    private static int frame(
            Map<String, Integer> offsets, String name, Variable variable, int size) {
        int offset = align(size, variable.effectiveAlignment());
        offsets.put(name, offset);
        return offset + Math.toIntExact(variable.bytes());
    }

    private int place(Variable variable) {
        int offset = align(sharedBytes, variable.effectiveAlignment());
        sharedBytes = offset + Math.toIntExact(variable.bytes());
        return offset;
    }

    private static int align(int value, int alignment) {
        return (value + alignment - 1) / alignment * alignment;
    }

    Code function(String name) {
        Code code = functions.get(name);
        if (code == null) {
            throw new IllegalArgumentException("no function " + name);
        }
        return code;
    }

    int sharedBytes() {
        return sharedBytes;
    }
}
