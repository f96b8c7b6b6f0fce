package facet.device.cpu;

import facet.jit.CompiledKernel;
import facet.jit.Compiler;
import facet.jit.DeviceLibrary;
import facet.jit.KernelSummary;
import facet.ptx.Function;
import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.Verifier;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Compiled PTX by its text, so that a second session with the same program finds warm code. Holds
 * the modules used last.
 */
final class ModuleCache {
    private static final int CAPACITY = 128;

    /** One text: parsed and verified at once, each kernel compiled when first asked for. */
    static final class Entry {
        private final Module module;
        private final Compiler compiler;
        private final Map<String, CompiledKernel> kernels = new ConcurrentHashMap<>();
        private final Map<String, KernelSummary> summaries = new LinkedHashMap<>();

        Entry(String ptx) {
            module = DeviceLibrary.complete(Parser.parse(ptx));
            Verifier.verify(module);
            compiler = new Compiler(module);
            for (Function kernel : module.kernels()) {
                summaries.put(kernel.name(), compiler.summary(kernel));
            }
        }

        /** Of all kernels, in the order of the text. */
        Map<String, KernelSummary> summaries() {
            return summaries;
        }

        Module module() {
            return module;
        }

        Compiler compiler() {
            return compiler;
        }

        /** Null when it is to be compiled. */
        @Nullable CompiledKernel known(Function function) {
            return kernels.get(function.name());
        }

        CompiledKernel kernel(Function function) {
            CompiledKernel known = known(function);
            if (known != null) {
                return known;
            }
            // Without a lock: whoever compiles may have to leave its seat to one who waits for it.
            CompiledKernel made = compiler.compile(function);
            CompiledKernel quicker = kernels.putIfAbsent(function.name(), made);
            return quicker == null ? made : quicker;
        }
    }

    private final Map<String, Entry> entries = new LinkedHashMap<>(64, 0.75f, true);
    private long most = Long.MAX_VALUE;
    private long text;

    /** From now on no more than so many characters of text, but for the one used last. */
    void keep(long characters) {
        synchronized (entries) {
            most = characters;
            forgetOldest();
        }
    }

    /** Null when it is to be made. */
    @Nullable Entry known(String ptx) {
        synchronized (entries) {
            return entries.get(ptx);
        }
    }

    Entry get(String ptx) {
        Entry there = known(ptx);
        if (there != null) {
            return there;
        }
        Entry made = new Entry(ptx);
        synchronized (entries) {
            Entry known = entries.get(ptx);
            if (known != null) {
                return known;
            }
            entries.put(ptx, made);
            text += ptx.length();
            forgetOldest();
            return made;
        }
    }

    void clear() {
        synchronized (entries) {
            entries.clear();
            text = 0;
        }
    }

    /** All but the one used last, when they are too many or too long. */
    private void forgetOldest() {
        Iterator<String> oldest = entries.keySet().iterator();
        while (entries.size() > 1 && (entries.size() > CAPACITY || text > most)) {
            text -= oldest.next().length();
            oldest.remove();
        }
    }
}
