package facet.device.cpu;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Kernel;
import facet.device.KernelInfo;
import facet.device.LoadedModule;
import facet.jit.CompiledKernel;
import facet.jit.KernelSummary;
import facet.jit.runtime.Windows;
import facet.ptx.Declaration;
import facet.ptx.Extent;
import facet.ptx.Function;
import facet.ptx.Initializer;
import facet.ptx.Linkage;
import facet.ptx.PtxException;
import facet.ptx.Space;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A module in a context: its variables have addresses and values. */
final class CpuModule implements LoadedModule {
    /**
     * What compilers take beside what a kernel's text names: its stack, addresses of parameters.
     */
    private static final int RESERVED_REGISTERS = 4;

    private static final int LEAST_REGISTERS = 8;

    /** That instructions can name. */
    private static final int MOST_REGISTERS = 255;

    private final CpuContext context;
    private final ModuleCache.Entry entry;
    private final Map<String, Variable> variables = new LinkedHashMap<>();
    private final Map<String, Kernel> kernels = new ConcurrentHashMap<>();

    /** Made when a kernel is first asked for that may launch others. */
    private volatile @Nullable NestedKernels nested;

    CpuModule(CpuContext context, ModuleCache.Entry entry) {
        this.context = context;
        this.entry = entry;
        Map<String, facet.ptx.Variable> defined = new LinkedHashMap<>();
        for (Declaration each : entry.module().declarations()) {
            switch (each) {
                case Declaration.Global global ->
                        define(defined, global.variable().name(), global.variable());
                case Function function -> {
                    if (function.body() != null) {
                        entry.compiler()
                                .graph()
                                .body(function)
                                .variables()
                                .forEach((name, variable) ->
                                        define(defined, function.name() + "/" + name, variable));
                    }
                }
                case Declaration.File _,
                        Declaration.Section _,
                        Declaration.Alias _,
                        Declaration.Pragma _ -> {}
            }
        }
        defined.forEach((name, variable) -> {
            long bytes = variable.bytes();
            boolean managed =
                    variable.attributes().stream().anyMatch(each -> each.name().equals("managed"));
            variables.put(name, new Variable(context.allocate(Math.max(bytes, 1)), bytes, managed));
        });
        defined.forEach(this::initialize);
    }

    private static void define(
            Map<String, facet.ptx.Variable> defined, String name, facet.ptx.Variable variable) {
        if (variable.space() != Space.GLOBAL && variable.space() != Space.CONST) {
            return;
        }
        if (variable.linkage() == Linkage.EXTERN) {
            if (!defined.containsKey(name)) {
                throw new PtxException(
                        PtxException.Kind.UNSUPPORTED,
                        variable.position(),
                        "variable "
                                + name
                                + " is only declared here; link the module that defines it");
            }
            return;
        }
        defined.put(name, variable);
    }

    private void initialize(String name, facet.ptx.Variable variable) {
        if (variable.initializers().isEmpty()) {
            return;
        }
        MemorySegment memory = context.memory().at(variable(name).address(), variable.bytes());
        write(memory, variable, variable.initializers(), 0, 0);
    }

    /** Bytes from one element of a list to the next, where {@code depth} lists are around it. */
    private static long stride(facet.ptx.Variable variable, int depth) {
        List<Long> dimensions = variable.dimensions();
        if (depth >= dimensions.size()) {
            return variable.type().bytes();
        }
        long bytes = variable.elementBytes();
        for (int i = depth + 1; i < dimensions.size(); i++) {
            bytes = Extent.product(dimensions.get(i), bytes);
        }
        return bytes;
    }

    private void write(
            MemorySegment memory,
            facet.ptx.Variable variable,
            List<Initializer> values,
            long start,
            int depth) {
        long at = start;
        for (Initializer value : values) {
            int bytes = variable.type().bytes();
            switch (value) {
                case Initializer.Nested nested -> {
                    write(memory, variable, nested.elements(), at, depth + 1);
                    at += stride(variable, depth);
                    continue;
                }
                case Initializer.IntegerValue integer -> {
                    if (variable.type() == facet.ptx.Type.F32) {
                        put(memory, at, bytes, Float.floatToRawIntBits((float) integer.value()));
                    } else if (variable.type() == facet.ptx.Type.F64) {
                        put(
                                memory,
                                at,
                                bytes,
                                Double.doubleToRawLongBits((double) integer.value()));
                    } else {
                        put(memory, at, bytes, integer.value());
                    }
                }
                case Initializer.FloatValue number -> put(memory, at, bytes, bits(number, bytes));
                case Initializer.Address address ->
                        put(memory, at, bytes, address(variable, address));
            }
            at += bytes;
        }
    }

    private static long bits(Initializer.FloatValue number, int bytes) {
        boolean single = number.type() == facet.ptx.Type.F32;
        if (single == (bytes == 4)) {
            return number.bits();
        }
        return single
                ? Double.doubleToRawLongBits(Float.intBitsToFloat((int) number.bits()))
                : Float.floatToRawIntBits((float) Double.longBitsToDouble(number.bits()));
    }

    private long address(facet.ptx.Variable variable, Initializer.Address address) {
        long value;
        Variable target = variables.get(address.symbol());
        if (target != null) {
            value = Extent.address(target.address(), address.offset());
        } else {
            value =
                    entry.compiler()
                            .graph()
                            .resolve(address.symbol())
                            .map(this::codeAddress)
                            .orElseThrow(() ->
                                    new PtxException(
                                            PtxException.Kind.INVALID,
                                            variable.position(),
                                            "the initial value of "
                                                    + variable.name()
                                                    + " names "
                                                    + address.symbol()
                                                    + ", which is not defined"));
        }
        if (address.mask() == 0) {
            return value;
        }
        return (value & address.mask()) >>> Long.numberOfTrailingZeros(address.mask());
    }

    private static void put(MemorySegment memory, long at, int bytes, long value) {
        for (int i = 0; i < bytes && at + i < memory.byteSize(); i++) {
            memory.set(
                    ValueLayout.JAVA_BYTE.withOrder(ByteOrder.LITTLE_ENDIAN),
                    at + i,
                    (byte) (i < 8 ? value >>> 8 * i : 0));
        }
    }

    @Override
    public Kernel kernel(String name) {
        Kernel known = kernels.get(name);
        if (known != null) {
            return known;
        }
        // Without a lock: another kernel of it need not wait for this one.
        Kernel made = compile(name);
        Kernel quicker = kernels.putIfAbsent(name, made);
        return quicker == null ? made : quicker;
    }

    private Function definition(String name) {
        return entry.compiler()
                .graph()
                .definition(name)
                .filter(Function::kernel)
                .orElseThrow(() -> new DeviceException(DeviceError.NOT_FOUND, "no kernel " + name));
    }

    private Kernel compile(String name) {
        Function function = definition(name);
        CompiledKernel compiled = compiled(function);
        return kernel(function, compiled, compiled.usesRuntime() ? nested() : NestedKernels.NONE);
    }

    private CompiledKernel compiled(Function function) {
        CompiledKernel known = entry.known(function);
        return known != null ? known : context.make(() -> entry.kernel(function));
    }

    private CpuKernel kernel(Function function, CompiledKernel compiled, NestedKernels others) {
        long[] addresses =
                compiled.symbols().stream().mapToLong(each -> variable(each).address()).toArray();
        return new CpuKernel(
                context,
                compiled,
                addresses,
                BlockLimits.of(function),
                ClusterLimits.of(function),
                new Pace(),
                others);
    }

    /** All of them are compiled now: nobody waits for that while a kernel runs. */
    private NestedKernels nested() {
        NestedKernels known = nested;
        if (known != null) {
            return known;
        }
        Map<Long, NestedKernels.Entry> found = new HashMap<>();
        NestedKernels made = new NestedKernels(found);
        for (Function each : entry.compiler().graph().kernelsTaken()) {
            KernelSummary summary = Objects.requireNonNull(entry.summaries().get(each.name()));
            found.put(
                    codeAddress(each),
                    new NestedKernels.Entry(
                            kernel(each, compiled(each), made), describe(each, summary)));
        }
        nested = made;
        return made;
    }

    private long codeAddress(Function function) {
        return Windows.CODE + 16L * entry.compiler().graph().index(function);
    }

    @Override
    public List<KernelInfo> kernels() {
        return entry.summaries().entrySet().stream()
                .map(each -> describe(definition(each.getKey()), each.getValue()))
                .toList();
    }

    /**
     * An estimate. No more than the kernel's largest block leaves to each of its threads: here
     * every kernel runs in every block, and programs divide by this to find out.
     */
    private int shownRegisters(Function kernel, KernelSummary summary, int threads) {
        long most =
                Math.min(MOST_REGISTERS, context.device().profile().registersPerBlock() / threads);
        for (Function.Directive each : kernel.directives()) {
            if (each.name().equals("maxnreg")) {
                most = Math.clamp(each.values().getFirst(), LEAST_REGISTERS, most);
            }
        }
        return (int)
                Math.clamp((long) summary.registers() + RESERVED_REGISTERS, LEAST_REGISTERS, most);
    }

    private KernelInfo describe(Function kernel, KernelSummary summary) {
        int threads =
                (int)
                        Math.min(
                                BlockLimits.of(kernel).mostThreads(),
                                context.device().profile().maxThreadsPerBlock());
        return new KernelInfo(
                kernel.name(),
                summary.parameters().stream()
                        .map(each ->
                                new Kernel.Parameter(each.offset(), each.bytes(), each.alignment()))
                        .toList(),
                summary.parameterBytes(),
                summary.sharedBytes(),
                summary.constantBytes(),
                summary.localBytes(),
                shownRegisters(kernel, summary, threads),
                threads,
                ClusterLimits.of(kernel).required());
    }

    @Override
    public Map<String, Variable> variables() {
        return Collections.unmodifiableMap(variables);
    }

    @Override
    public Variable variable(String name) {
        Variable variable = variables.get(name);
        if (variable == null) {
            throw new DeviceException(DeviceError.NOT_FOUND, "no variable " + name);
        }
        return variable;
    }

    @Override
    public void close() {
        variables.values().forEach(variable -> context.free(variable.address()));
        variables.clear();
    }
}
