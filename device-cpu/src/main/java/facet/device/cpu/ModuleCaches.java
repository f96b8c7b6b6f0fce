package facet.device.cpu;

import facet.device.Arbiter;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * A cache of compiled modules for each slice, as long as it is there. Slices have none in common:
 * how long a load takes would tell one what the others have loaded.
 */
final class ModuleCaches {
    /** Characters of text in all caches; what is made of a text takes some ten bytes for each. */
    private static final long MOST_TEXT = 32 << 20;

    private final Map<Arbiter.Share, ModuleCache> caches = new WeakHashMap<>();

    synchronized ModuleCache of(Arbiter.Share share) {
        ModuleCache known = caches.get(share);
        if (known != null) {
            return known;
        }
        ModuleCache made = new ModuleCache();
        caches.put(share, made);
        long part = MOST_TEXT / caches.size();
        caches.values().forEach(each -> each.keep(part));
        return made;
    }

    /** Forgets all code; what is loaded stays with who has it. */
    synchronized void clear() {
        caches.values().forEach(ModuleCache::clear);
    }
}
