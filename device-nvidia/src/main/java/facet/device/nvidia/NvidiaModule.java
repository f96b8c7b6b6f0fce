package facet.device.nvidia;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Kernel;
import facet.device.KernelInfo;
import facet.device.LoadedModule;
import facet.device.nvidia.foreign.DriverCode;
import facet.device.nvidia.foreign.DriverMemory;
import facet.ptx.Declaration;
import facet.ptx.Function;
import facet.ptx.Link;
import facet.ptx.Linkage;
import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.PtxException;
import facet.ptx.Space;
import facet.ptx.rewrite.BlockForm;
import facet.ptx.rewrite.Placing;
import facet.ptx.rewrite.Rewrite;
import facet.ptx.rewrite.Rewritten;
import facet.ptx.rewrite.TextureNumbers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A module of the driver's. What is in it is read from its text; the driver compiles it, in the
 * form in which launches can be executed in parts where that is possible.
 */
final class NvidiaModule implements LoadedModule {
    // Of cuFuncGetAttribute.
    private static final int MAX_THREADS = 0;
    private static final int SHARED = 1;
    private static final int CONSTANT = 2;
    private static final int LOCAL = 3;
    private static final int REGISTERS = 4;

    private final NvidiaContext context;
    private final long handle;
    private final Map<String, NvidiaKernel> kernels = new LinkedHashMap<>();
    private final Map<String, Variable> variables = new LinkedHashMap<>();
    private final List<Long> placedHere = new ArrayList<>();
    private final AtomicBoolean gone = new AtomicBoolean();

    /** The variable in which its kernels find the table of textures; 0: they need none. */
    private long table;

    private NvidiaModule(NvidiaContext context, long handle) {
        this.context = context;
        this.handle = handle;
    }

    static NvidiaModule link(NvidiaContext context, List<String> texts) {
        try {
            return load(context, Link.link(texts));
        } catch (PtxException e) {
            throw wrong(e);
        }
    }

    static NvidiaModule load(NvidiaContext context, String text) {
        Module parsed;
        Placing.Placed placed;
        TextureNumbers.Changed changed;
        Rewritten rewritten;
        try {
            parsed = Parser.parse(text);
            placed = Placing.place(text, NvidiaModule::isManaged);
            changed = TextureNumbers.change(placed.text());
            rewritten = Rewrite.rewrite(changed.text(), BlockForm.RANGES);
        } catch (PtxException e) {
            throw wrong(e);
        }
        context.use();
        NvidiaModule made = new NvidiaModule(context, load(context, text, rewritten));
        boolean complete = false;
        try {
            made.read(parsed, text, placed, changed, rewritten);
            complete = true;
        } finally {
            if (!complete) {
                made.close();
            }
        }
        return made;
    }

    private static long load(NvidiaContext context, String text, Rewritten rewritten) {
        DriverCode code = context.device().code();
        try {
            return code.load(rewritten.text().getBytes(StandardCharsets.UTF_8));
        } catch (DeviceException e) {
            if (rewritten.text().equals(text)) {
                throw e;
            }
            // What is said of the text is to be about the program's own.
            code.unload(code.load(text.getBytes(StandardCharsets.UTF_8)));
            throw e;
        }
    }

    private static DeviceException wrong(PtxException e) {
        return e.lacking()
                .map(each -> DeviceException.lacking(each, String.valueOf(e.getMessage()), e))
                .orElseGet(() ->
                        new DeviceException(
                                DeviceError.INVALID_PTX, String.valueOf(e.getMessage()), e));
    }

    /** The program sees it too, so it is to be where both can have it. */
    private static boolean isManaged(facet.ptx.Variable variable) {
        return variable.attributes().stream().anyMatch(each -> each.name().equals("managed"));
    }

    private void read(
            Module module,
            String text,
            Placing.Placed placed,
            TextureNumbers.Changed changed,
            Rewritten rewritten) {
        NvidiaKernel.Textures textures = findTextures(changed);
        boolean usesHeap = text.contains("malloc");
        boolean prints = text.contains("vprintf") || text.contains("__assertfail");
        for (Function each : module.kernels()) {
            long function = context.device().code().function(handle, each.name());
            kernels.put(
                    each.name(),
                    new NvidiaKernel(
                            function,
                            describe(each, function),
                            rewritten.kernel(each.name()).orElse(null),
                            usesHeap,
                            prints,
                            textures,
                            new BlockPace()));
        }
        for (Declaration each : module.declarations()) {
            if (each instanceof Declaration.Global global) {
                addVariable(global.variable(), placed);
            }
        }
    }

    private NvidiaKernel.Textures findTextures(TextureNumbers.Changed changed) {
        if (changed.table() == null) {
            return NvidiaKernel.Textures.NONE;
        }
        DriverCode.Place place = context.device().code().variable(handle, changed.table());
        if (place != null) {
            table = place.address();
            context.textures().point(table);
        }
        return changed.writes() ? NvidiaKernel.Textures.WRITTEN : NvidiaKernel.Textures.READ;
    }

    private void addVariable(facet.ptx.Variable variable, Placing.Placed placed) {
        boolean inMemory = variable.space() == Space.GLOBAL || variable.space() == Space.CONST;
        if (!inMemory || variable.linkage() == Linkage.EXTERN) {
            return;
        }
        DriverCode.@Nullable Place place =
                context.device().code().variable(handle, variable.name());
        if (place == null) {
            return;
        }
        String pointer = placed.pointers().get(variable.name());
        boolean managed = pointer != null;
        long address = pointer == null ? place.address() : move(place, pointer);
        variables.put(variable.name(), new Variable(address, place.bytes(), managed));
    }

    /** Gives a variable another place, with its initial value. */
    private long move(DriverCode.Place from, String pointer) {
        DriverCode.Place there = context.device().code().variable(handle, pointer);
        if (there == null) {
            throw new DeviceException(DeviceError.NOT_FOUND, "no variable " + pointer);
        }
        long address = context.allocate(from.bytes());
        placedHere.add(address);
        context.check();
        context.use();
        DriverMemory memory = context.device().memory();
        memory.onDevice(address, from.address(), from.bytes(), context.memoryStream());
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment value = scratch.allocateFrom(ValueLayout.JAVA_LONG, address);
            memory.toDevice(there.address(), value, context.memoryStream());
            context.settleMemory();
        }
        return address;
    }

    private KernelInfo describe(Function kernel, long function) {
        DriverCode code = context.device().code();
        List<Kernel.Parameter> parameters = new ArrayList<>();
        int end = 0;
        for (facet.ptx.Variable each : kernel.parameters()) {
            int alignment = Math.max(1, each.effectiveAlignment());
            int offset = Math.addExact(end, alignment - 1) / alignment * alignment;
            int bytes = Math.toIntExact(each.bytes());
            parameters.add(new Kernel.Parameter(offset, bytes, alignment));
            end = Math.addExact(offset, bytes);
        }
        return new KernelInfo(
                kernel.name(),
                parameters,
                end,
                code.attribute(function, SHARED),
                code.attribute(function, CONSTANT),
                code.attribute(function, LOCAL),
                code.attribute(function, REGISTERS),
                code.attribute(function, MAX_THREADS),
                null);
    }

    @Override
    public Kernel kernel(String name) {
        Kernel kernel = kernels.get(name);
        if (kernel == null) {
            throw new DeviceException(DeviceError.NOT_FOUND, "no kernel " + name);
        }
        return kernel;
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
    public List<KernelInfo> kernels() {
        return kernels.values().stream().map(NvidiaKernel::info).toList();
    }

    @Override
    public Map<String, Variable> variables() {
        return Collections.unmodifiableMap(variables);
    }

    @Override
    public void close() {
        if (!gone.getAndSet(true) && !context.isLost()) {
            context.textures().forget(table);
            context.use();
            int _ = context.device().code().unload(handle);
            placedHere.forEach(context::release);
        }
    }
}
