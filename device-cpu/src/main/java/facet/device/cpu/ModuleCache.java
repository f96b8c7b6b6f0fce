package facet.device.cpu;

import facet.jit.CompiledKernel;
import facet.jit.Compiler;
import facet.ptx.Function;
import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.Verifier;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Compiled PTX by its text, so that the second session with the same program finds warm code. Holds
 * the modules used last.
 */
final class ModuleCache {
    private static final int CAPACITY = 128;

    /** Characters of text; what is made of a text takes some ten bytes for each. */
    private static final long MOST_TEXT = 16 << 20;

    /** One text: parsed and verified at once, each kernel compiled when first asked for. */
    static final class Entry {
        private final Module module;
        private final Compiler compiler;
        private final Map<String, CompiledKernel> kernels = new ConcurrentHashMap<>();

        Entry(String ptx) {
            module = Parser.parse(ptx);
            Verifier.verify(module);
            compiler = new Compiler(module);
        }

        Module module() {
            return module;
        }

        Compiler compiler() {
            return compiler;
        }

        CompiledKernel kernel(Function function) {
            return kernels.computeIfAbsent(function.name(), name -> compiler.compile(function));
        }
    }

    private final Map<String, Entry> entries = new LinkedHashMap<>(64, 0.75f, true);
    private long text;

    Entry get(String ptx) {
        synchronized (entries) {
            Entry known = entries.get(ptx);
            if (known != null) {
                return known;
            }
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
        while (entries.size() > 1 && (entries.size() > CAPACITY || text > MOST_TEXT)) {
            text -= oldest.next().length();
            oldest.remove();
        }
    }
}
