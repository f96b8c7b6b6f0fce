package facet.host.session;

import facet.device.LoadedModule;
import facet.host.ledger.Tally;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** The modules of a context, and what their variables have taken of its memory. */
final class ContextModules {
    private static final int MOST = 1 << 14;

    private final Tally tally;
    private final Handles<SessionModule> all;
    private final AtomicLong taken = new AtomicLong();

    /** Address to length of variables that are not in the context's own memory. */
    private final ConcurrentSkipListMap<Long, Long> elsewhere = new ConcurrentSkipListMap<>();

    ContextModules(Tally tally) {
        this.tally = tally;
        all = new Handles<>("module", MOST, tally);
    }

    /** One that can be used: a client does not name it before its load was answered. */
    SessionModule get(int number) {
        SessionModule module = all.get(number);
        if (!module.isLoaded()) {
            throw new ProtocolViolation(
                    "module " + Integer.toUnsignedString(number) + " is still being loaded");
        }
        return module;
    }

    /** A load begins; {@link SessionModule#loaded} or {@link #failed} follows. */
    SessionModule begin(int number) {
        SessionModule module = new SessionModule();
        all.put(number, module);
        return module;
    }

    /** No module comes of a load: its number is free again. Any thread. */
    void failed(int number, SessionModule module) {
        all.forget(number, module);
    }

    /** It counts until {@link #ended}. */
    SessionModule remove(int number) {
        SessionModule module = get(number);
        all.remove(number);
        return module;
    }

    /** Any thread. */
    void ended() {
        all.ended();
    }

    /** Bytes of device memory that the variables of modules have. Any thread. */
    long taken() {
        return taken.get();
    }

    /** A module was loaded; the device has placed its variables. Any thread. */
    void placed(LoadedModule module, LentMemory memory) {
        for (LoadedModule.Variable each : module.variables().values()) {
            if (!memory.contains(each.address(), each.bytes())) {
                elsewhere.put(each.address(), each.bytes());
            }
        }
    }

    /** It is about to go. Any thread. */
    void displaced(LoadedModule module) {
        module.variables().values().forEach(each -> elsewhere.remove(each.address()));
    }

    /** Whether the bytes are all of one variable that is not in the context's own memory. */
    boolean covers(long address, long bytes) {
        Map.Entry<Long, Long> variable = elsewhere.floorEntry(address);
        return variable != null
                && bytes >= 0
                && bytes <= variable.getValue()
                && address - variable.getKey() <= variable.getValue() - bytes;
    }

    /** Variables were given memory, or have given it back. Any thread. */
    void took(long bytes) {
        taken.addAndGet(bytes);
    }

    /** The context ends, and no load is under way any more. */
    void forgetAll() {
        for (SessionModule each : all.values()) {
            if (each.isLoaded()) {
                tally.giveText(each.texts());
            }
        }
        all.endAll();
    }
}
