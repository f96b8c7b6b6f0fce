package facet.device.cpu;

import facet.device.Arbiter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.Semaphore;

/**
 * Caches of compiled modules. A slice has one of its own, as long as it is there: how long a load
 * takes would tell others what it has loaded. Slices that have a name for their code in common have
 * one in common, which stays when they have gone: programs that come again find it.
 */
final class ModuleCaches {
    /** Characters of text in all caches; what is made of a text takes some ten bytes for each. */
    private static final long MOST_TEXT = 32 << 20;

    /** Names whose code is kept, those used last. */
    private static final int MOST_NAMES = 16;

    /** Modules and kernels of a slice that are made at once. */
    private static final int AT_ONCE = 2;

    private static final String COMMON = "common";

    private final Map<Arbiter.Share, ModuleCache> own = new WeakHashMap<>();
    private final Map<String, ModuleCache> named = new LinkedHashMap<>(MOST_NAMES, 0.75f, true);
    private final Map<Arbiter.Share, Semaphore> rooms = new WeakHashMap<>();

    /** Whether all are one, whatever their name. */
    private final boolean common;

    ModuleCaches() {
        this(false);
    }

    private ModuleCaches(boolean common) {
        this.common = common;
    }

    /** One cache for everybody. */
    static ModuleCaches common() {
        return new ModuleCaches(true);
    }

    synchronized ModuleCache of(Arbiter.Share share) {
        String name = common ? COMMON : share.codeName().orElse(null);
        ModuleCache known = name == null ? own.get(share) : named.get(name);
        if (known != null) {
            return known;
        }
        ModuleCache made = new ModuleCache();
        if (name == null) {
            own.put(share, made);
        } else {
            named.put(name, made);
            if (named.size() > MOST_NAMES) {
                named.remove(named.keySet().iterator().next());
            }
        }
        long part = MOST_TEXT / (own.size() + named.size());
        own.values().forEach(each -> each.keep(part));
        named.values().forEach(each -> each.keep(part));
        return made;
    }

    /** To be held while something is made for a slice. */
    synchronized Semaphore room(Arbiter.Share share) {
        return rooms.computeIfAbsent(share, key -> new Semaphore(AT_ONCE));
    }

    /** Forgets all code; what is loaded stays with who has it. */
    synchronized void clear() {
        own.values().forEach(ModuleCache::clear);
        named.values().forEach(ModuleCache::clear);
    }
}
