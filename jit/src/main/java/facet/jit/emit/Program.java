package facet.jit.emit;

import facet.jit.pass.Builtin;
import facet.jit.pass.CallGraph;
import facet.ptx.Declaration;
import facet.ptx.Extent;
import facet.ptx.Function;
import facet.ptx.Module;
import facet.ptx.PtxException;
import facet.ptx.Space;
import facet.ptx.StorageVerifier;
import facet.ptx.Variable;
import facet.ptx.flow.Body;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the methods of one kernel's class share: variables of the module, layout of shared memory,
 * and the functions that turn out to be called while code is emitted.
 */
public final class Program {
    public static final int ALIGNMENT = 32;

    /** As much as devices since sm_80 keep for each block. */
    static final int RESERVED_BYTES = 1024;

    /** No variable has such a name. */
    private static final String RESERVED = "%reserved_smem";

    private final CallGraph graph;
    private final boolean clusters;
    private final Map<String, Variable> globals;
    private final Map<String, Boolean> moving = new HashMap<>();
    private final Map<String, Integer> symbols = new LinkedHashMap<>();
    private final Map<String, Integer> shared = new HashMap<>();
    private final Map<String, String> methods = new LinkedHashMap<>();
    private final ArrayDeque<Function> pending = new ArrayDeque<>();
    private int sharedBytes;
    private boolean indirect;
    private boolean stack;
    private boolean heap;
    private boolean runtime;
    private boolean waits;

    /**
     * @param globals see {@link #globals}
     * @param clusters see {@link #knowsClusters}
     */
    public Program(Map<String, Variable> globals, CallGraph graph, boolean clusters) {
        this.globals = globals;
        this.graph = graph;
        this.clusters = clusters;
    }

    /** The variables of a module, by name. */
    public static Map<String, Variable> globals(Module module) {
        Map<String, Variable> globals = new HashMap<>();
        for (Declaration each : module.declarations()) {
            if (each instanceof Declaration.Global global) {
                // A definition replaces the extern declaration of the same name.
                Variable variable = global.variable();
                globals.merge(
                        variable.name(),
                        variable,
                        (old, now) -> now.linkage() == facet.ptx.Linkage.EXTERN ? old : now);
            }
        }
        return Map.copyOf(globals);
    }

    /** Whether shared addresses say whose they are; see {@link facet.jit.runtime.Clusters}. */
    public boolean knowsClusters() {
        return clusters;
    }

    /** See {@link Stacks#moves}; regions of a kernel are many, and all of one body. */
    boolean stackMoves(Body body) {
        return moving.computeIfAbsent(body.function().name(), name -> Stacks.moves(body));
    }

    public CallGraph graph() {
        return graph;
    }

    List<Variable> constants() {
        return globals.values().stream().filter(each -> each.space() == Space.CONST).toList();
    }

    Optional<Variable> global(String name) {
        return Optional.ofNullable(globals.get(name));
    }

    /** Number of a module variable in {@code Grid.symbols}. */
    int symbol(String name) {
        return symbols.computeIfAbsent(name, each -> symbols.size());
    }

    public List<String> symbols() {
        return List.copyOf(symbols.keySet());
    }

    /**
     * Offset of a static shared variable, which gets its place when first named; -1 for dynamic.
     */
    int shared(String name, Variable variable) {
        if (variable.linkage() == facet.ptx.Linkage.EXTERN && variable.bytes() == 0) {
            return -1;
        }
        Integer known = shared.get(name);
        if (known != null) {
            return known;
        }
        long alignment = Math.max(variable.effectiveAlignment(), 1);
        long end = Extent.append(sharedBytes, alignment, variable.bytes());
        if (end > StorageVerifier.MOST_SHARED) {
            throw new PtxException(
                    PtxException.Kind.INVALID,
                    variable.position(),
                    "with "
                            + variable.name()
                            + " the shared variables of a kernel take more than "
                            + StorageVerifier.MOST_SHARED
                            + " bytes");
        }
        // Both are below the limit, so that the difference is exact.
        int offset = (int) (end - variable.bytes());
        sharedBytes = (int) end;
        shared.put(name, offset);
        return offset;
    }

    /**
     * Offset of the shared memory that is kept from programs for libraries such as cooperative
     * groups. A kernel that does not ask for it has none.
     */
    int reserved() {
        Integer known = shared.get(RESERVED);
        if (known != null) {
            return known;
        }
        int offset = sharedBytes();
        sharedBytes = offset + RESERVED_BYTES; // bounded: by MOST_SHARED
        shared.put(RESERVED, offset);
        return offset;
    }

    /** Of {@link #sharedBytes}, what does not count as the program's. */
    public int reservedBytes() {
        return shared.containsKey(RESERVED) ? RESERVED_BYTES : 0;
    }

    /** Static shared memory, rounded up; dynamic shared memory starts there. */
    public int sharedBytes() {
        return (int) Extent.align(sharedBytes, ALIGNMENT); // bounded by MOST_SHARED
    }

    /** Name of the method of a called function; it will be emitted. */
    String method(Function function) {
        return methods.computeIfAbsent(
                function.name(),
                name -> {
                    pending.add(function);
                    return "f" + methods.size();
                });
    }

    Optional<Function> nextFunction() {
        return Optional.ofNullable(pending.poll());
    }

    /** Notes that the class needs the dispatcher of indirect calls. */
    void needIndirect() {
        indirect = true;
        graph.addressTaken().forEach(this::method);
    }

    boolean hasIndirect() {
        return indirect;
    }

    /** Notes that the kernel needs a stack though it may call nothing. */
    void needStack() {
        stack = true;
    }

    public boolean calls() {
        return stack || !methods.isEmpty();
    }

    /** Notes what a function of the device that the kernel calls must find. */
    void need(Builtin.Need need) {
        heap |= need.heap();
        runtime |= need.runtime();
        waits |= need == Builtin.Need.WAITING;
    }

    /** Whether a function of the kernel takes memory of the heap. */
    public boolean allocates() {
        return heap;
    }

    /** Whether one asks the device runtime for something, such as a launch. */
    public boolean usesRuntime() {
        return runtime;
    }

    /** Whether blocks wait for what they have launched. */
    public boolean waitsForLaunches() {
        return waits;
    }

    /** Whether variables have the same numbers and places as in the other program. */
    public boolean agrees(Program other) {
        return symbols.equals(other.symbols) && shared.equals(other.shared);
    }

    static boolean isShared(Variable variable) {
        return variable.space().isShared();
    }

    static boolean isFrame(Variable variable) {
        return variable.space() == Space.LOCAL || variable.space().isParam();
    }
}
