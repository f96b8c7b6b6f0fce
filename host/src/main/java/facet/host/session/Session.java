package facet.host.session;

import facet.abi.Constants;
import facet.abi.Envelope;
import facet.abi.Result;
import facet.device.Device;
import facet.host.ledger.Ledger;
import facet.host.ledger.Tally;
import facet.host.ledger.UnsupportedCounts;
import facet.log.Log;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** What the handlers of a session share. */
final class Session {
    /** Modules and kernels; a device makes no more for a slice. */
    private static final int MADE_AT_ONCE = 2;

    /** Lines about what is not supported that a program's user reads. */
    private static final int MOST_TOLD = 32;

    private final SessionOptions options;
    private final List<Device> devices;
    private final SessionResidency residency;
    private final List<Ledger> ledgers;
    private final Tally tally;
    private final Log log;
    private final SessionChannel channel;
    private final Usage usage;
    private final AtomicReferenceArray<@Nullable SessionContext> contexts =
            new AtomicReferenceArray<>(Constants.CONTEXTS);
    private final HostFunctions hostFunctions;
    private final SessionSegments segments;
    private final Rewriting rewriting;
    private final InFlight inFlight = new InFlight();
    private final Errands making;
    private final Errands waiting;
    private final BitSet ended = new BitSet();
    private int living;
    private final Set<String> told = new HashSet<>();
    private final Set<SessionContext> dying = ConcurrentHashMap.newKeySet();

    Session(
            SessionOptions options,
            List<Device> devices,
            SessionResidency residency,
            List<Ledger> ledgers,
            Tally tally,
            Log log,
            SessionChannel channel,
            Usage usage) {
        this.options = options;
        this.devices = devices;
        this.residency = residency;
        this.ledgers = ledgers;
        this.tally = tally;
        this.log = log;
        this.channel = channel;
        this.usage = usage;
        hostFunctions = new HostFunctions(channel::callBack);
        segments = new SessionSegments(this);
        rewriting = new Rewriting(this);
        usage.running(this::runningNanos);
        String name = "facet-session-" + options.id();
        // Virtual threads are for what waits; what computes would keep theirs from others.
        making =
                new Errands(
                        Thread.ofPlatform().daemon().name(name + "-making"),
                        MADE_AT_ONCE,
                        this::defect);
        waiting = new Errands(Thread.ofVirtual().name(name + "-waiting"), 1, this::defect);
    }

    SessionOptions options() {
        return options;
    }

    List<Device> devices() {
        return devices;
    }

    SessionResidency residency() {
        return residency;
    }

    /** What the slice's sessions have of a device. */
    boolean hasDevice(int device) {
        return device >= 0 && device < ledgers.size();
    }

    Ledger ledger(int device) {
        return ledgers.get(device);
    }

    Tally tally() {
        return tally;
    }

    SessionChannel channel() {
        return channel;
    }

    Usage usage() {
        return usage;
    }

    InFlight inFlight() {
        return inFlight;
    }

    /** What loads modules and compiles kernels. */
    Errands making() {
        return making;
    }

    /** What waits for room in the slice. */
    Errands waiting() {
        return waiting;
    }

    HostFunctions hostFunctions() {
        return hostFunctions;
    }

    /** Memory at addresses of its own choice. */
    SessionSegments segments() {
        return segments;
    }

    /** Code of programs that have the vendor's driver in them. */
    Rewriting rewriting() {
        return rewriting;
    }

    /** For what an operator may want to know. Any thread. */
    void log(String text) {
        log.info(options.who(), text);
    }

    /** For what ended a context. Any thread. */
    void fault(String text) {
        tally.fault(options.id(), options.program() + " (" + options.pid() + "): " + text);
        log(text);
    }

    /**
     * The program asked for what is not there. Any thread.
     *
     * @return whether its user is to be told: the first time
     */
    boolean lacks(UnsupportedCounts.Kind kind, String name) {
        if (tally.unsupported().add(kind, name)) {
            log(kind.text() + " " + name + " is not supported");
        }
        synchronized (told) {
            return told.size() < MOST_TOLD && told.add(name);
        }
    }

    /** So often something went to the vendor's driver as it was. Any thread. */
    void passed(UnsupportedCounts.Kind kind, String name, long count) {
        tally.unsupported().add(kind, name, count);
    }

    /** For what should not have happened. Any thread. */
    void defect(String where, Throwable thrown) {
        StringBuilder text = new StringBuilder(where).append(": ").append(thrown);
        for (StackTraceElement each : thrown.getStackTrace()) {
            text.append(" < ").append(each);
            if (text.length() > 1000) {
                break;
            }
        }
        log.error(options.who(), text.toString());
    }

    void debug(String text) {
        log.debug(options.who(), text);
    }

    // ---- contexts

    SessionContext context(Envelope envelope) {
        SessionContext context = contexts.get(envelope.context());
        if (context == null) {
            if (ended.get(envelope.context())) {
                throw new ContextGone();
            }
            throw new ProtocolViolation("there is no context " + envelope.context());
        }
        return context;
    }

    /** Another thread of the client has ended the context that a command names. */
    static final class ContextGone extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Another one that a command names; empty when it is gone. */
    Optional<SessionContext> peer(int id) {
        if (id < 0 || id >= contexts.length()) {
            throw new ProtocolViolation("there is no context " + id);
        }
        return Optional.ofNullable(contexts.get(id));
    }

    boolean isLiving(SessionContext context) {
        return context.equals(contexts.get(context.id()));
    }

    /** Whether there is one context alone. */
    boolean isAlone() {
        return living == 1;
    }

    boolean hasContext(int id) {
        return contexts.get(id) != null;
    }

    void put(SessionContext context) {
        contexts.set(context.id(), context);
        living++;
    }

    /** Its number is free from now on; {@link #end} follows when its work has ended. */
    void retire(SessionContext context) {
        contexts.set(context.id(), null);
        living--;
        ended.set(context.id());
        dying.add(context);
    }

    /** Stops what still runs in the context and gives back what it had. Any thread. */
    void end(SessionContext context) {
        if (!dying.contains(context)) {
            return;
        }
        awaitErrands(context);
        // Held to its end, so that whoever comes second knows that it is over.
        synchronized (context) {
            if (dying.contains(context)) {
                context.handOver();
                context.close();
                usage.ended(context.ledger().device(), context.device().deviceNanos());
                Ledger ledger = context.ledger();
                ledger.release(options.ledgerSlot(), context.allocations().counted());
                ledger.give(options.ledgerSlot(), context.takenByHost());
                context.forgetAll();
                dying.remove(context);
            }
        }
    }

    /** What is done for the context elsewhere uses its memory; stopped, it ends soon. */
    private void awaitErrands(SessionContext context) {
        context.stop();
        making.await(context);
        waiting.await(context);
    }

    /**
     * Variables of a module are gone. Nothing when their context has ended meanwhile. Any thread.
     */
    void giveBack(SessionContext context, long bytes) {
        synchronized (context) {
            if (bytes > 0 && !context.isClosing()) {
                context.modulesTook(-bytes);
                context.ledger().give(options.ledgerSlot(), bytes);
                context.report().used(context.takenByHost());
            }
        }
    }

    /** Stops what runs in all contexts, and waits for that. They are not to be used any more. */
    void stopAll() {
        contexts().forEach(this::retire);
        List.copyOf(dying).forEach(SessionContext::stop);
        for (SessionContext each : List.copyOf(dying)) {
            awaitErrands(each);
            synchronized (each) {
                each.halt();
            }
        }
    }

    /** Ends all contexts. */
    void endAll() {
        contexts().forEach(this::retire);
        List.copyOf(dying).forEach(this::end);
        segments.close();
        rewriting.close();
        making.close();
        waiting.close();
    }

    List<SessionContext> contexts() {
        List<SessionContext> all = new ArrayList<>();
        for (int i = 0; i < contexts.length(); i++) {
            SessionContext context = contexts.get(i);
            if (context != null) {
                all.add(context);
            }
        }
        return all;
    }

    /** Also those that wait for their work to end. Any thread. */
    List<SessionContext> contextsInMemory() {
        List<SessionContext> all = contexts();
        all.addAll(dying);
        return all;
    }

    /** Sees to it that all that was issued will be retired. */
    void markAll() {
        for (int i = 0; i < contexts.length(); i++) {
            SessionContext context = contexts.get(i);
            if (context != null) {
                context.streams().markAll();
            }
        }
    }

    private long runningNanos(int device) {
        long sum = 0;
        for (int i = 0; i < contexts.length(); i++) {
            SessionContext context = contexts.get(i);
            if (context != null && context.ledger().device() == device) {
                sum += context.device().deviceNanos();
            }
        }
        return sum;
    }

    // ---- answers

    /** Any thread. */
    void reply(Envelope envelope, int result, long... payload) {
        channel.reply(envelope, result, payload);
    }

    /** A fault of the context comes before any other result. Any thread. */
    void reply(Envelope envelope, SessionContext context, int result, long... payload) {
        int fault = context.fault();
        channel.reply(envelope, fault == Result.SUCCESS ? result : fault, payload);
    }
}
