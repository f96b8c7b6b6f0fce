package facet.node.residency;

import facet.os.SharedMemoryUnsafe;
import facet.sched.Eviction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What is on a device: never more than it has. Contexts whose memory is not all there ask for it
 * and are served in the order in which they asked, by one thread, which moves out what {@link
 * Eviction} names. Any thread.
 */
public final class Residency implements AutoCloseable {
    private static final long GATE_MILLIS = 20;

    /** Whether somebody is idle changes without a word; so often it is looked at. */
    private static final long LOOK_NANOS = 20_000_000;

    /** When what can move is not enough, somebody may still free, or let go of, what cannot. */
    private static final long PATIENCE_NANOS = 12_000_000_000L;

    private static final long SESSION_LOOK_MILLIS = 20;

    /** Somebody who wants its memory back. Guarded by the monitor. */
    private static final class Request {
        private final Tenant tenant;
        private boolean over;
        private boolean granted;
        private long hopelessSince;
        private boolean hopeless;

        private Request(Tenant tenant) {
            this.tenant = tenant;
        }
    }

    /**
     * @param resident bytes on the device
     * @param movedOut bytes in host memory
     * @param moves of allocations, out and back in
     */
    public record Figures(long resident, long movedOut, long moves, long movedBytes) {}

    private final String name;
    private final long capacity;
    private final Eviction eviction;
    private final Set<Tenant> tenants = ConcurrentHashMap.newKeySet();
    private final Map<Tenant, Request> queue = new LinkedHashMap<>();
    private @Nullable Thread thread;
    private long resident;
    private long movedOut;
    private long moves;
    private long movedBytes;
    private final Map<String, Moves> untold = new LinkedHashMap<>();
    private boolean closed;

    /**
     * @param capacity bytes of the device
     */
    public Residency(String name, long capacity) {
        this(name, capacity, Eviction.STANDARD);
    }

    public Residency(String name, long capacity, Eviction eviction) {
        this.name = name;
        this.capacity = capacity;
        this.eviction = eviction;
    }

    Eviction eviction() {
        return eviction;
    }

    /** For where nobody is promised more than there is. */
    public static Residency unbounded() {
        return new Residency("unbounded", Long.MAX_VALUE);
    }

    /**
     * A new context.
     *
     * @param memory its memory; open until {@link Tenant#end}
     */
    public Tenant admit(Occupant occupant, SharedMemoryUnsafe memory) {
        Tenant tenant = new Tenant(this, occupant, memory);
        tenants.add(tenant);
        return tenant;
    }

    public synchronized Figures figures() {
        return new Figures(resident, movedOut, moves, movedBytes);
    }

    /** Bytes of a slice that are on the device. */
    public long residentOf(String slice) {
        return tenants.stream()
                .filter(each -> each.occupant().slice().equals(slice))
                .mapToLong(Tenant::resident)
                .sum();
    }

    // ---- the book

    /**
     * Takes room if there is any.
     *
     * @param first whether it is for one who waits; others come behind those
     */
    synchronized boolean reserve(long bytes, boolean first) {
        if (bytes > capacity - resident || !first && !queue.isEmpty()) {
            return false;
        }
        resident += bytes;
        return true;
    }

    synchronized void release(long bytes) {
        resident -= bytes;
        notifyAll();
    }

    synchronized void movedOut(long bytes) {
        movedOut += bytes;
    }

    synchronized void countMove(String slice, Moves move) {
        moves++;
        movedBytes += move.outBytes() + move.backBytes();
        untold.merge(slice, move, Moves::plus);
    }

    /** What moved since this was asked before, by slice. */
    public synchronized Map<String, Moves> takeMoves() {
        if (untold.isEmpty()) {
            return Map.of();
        }
        Map<String, Moves> taken = Map.copyOf(untold);
        untold.clear();
        return taken;
    }

    synchronized void remove(Tenant tenant, long itsResident, long itsOut) {
        tenants.remove(tenant);
        resident -= itsResident;
        movedOut -= itsOut;
        notifyAll();
    }

    // ---- asking

    /** Waits until all memory of a context is there. False when that cannot be, or it ends. */
    boolean fetch(Tenant tenant) {
        Request request = ask(tenant);
        synchronized (this) {
            while (!request.over) {
                if (tenant.occupant().isEnding() || closed) {
                    queue.remove(tenant, request);
                    return false;
                }
                try {
                    wait(SESSION_LOOK_MILLIS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
            return request.granted;
        }
    }

    private synchronized Request ask(Tenant tenant) {
        Request request = queue.computeIfAbsent(tenant, Request::new);
        if (thread == null && !closed) {
            thread = Thread.ofPlatform().name("facet-residency-" + name).daemon().start(this::run);
        }
        notifyAll();
        return request;
    }

    private synchronized void answer(Request request, boolean granted) {
        request.over = true;
        request.granted = granted;
        queue.remove(request.tenant, request);
        notifyAll();
    }

    // ---- serving

    private void run() {
        while (true) {
            List<Request> waiting;
            synchronized (this) {
                if (closed) {
                    return;
                }
                waiting = List.copyOf(queue.values());
                if (waiting.isEmpty()) {
                    await(0);
                    continue;
                }
            }
            long until = serve(waiting.getFirst());
            if (until != 0) {
                // What fits without anybody's leaving need not wait for the first.
                waiting.subList(1, waiting.size()).forEach(this::serveFromRoom);
                synchronized (this) {
                    if (!closed && queue.size() == waiting.size()) {
                        await(Math.clamp(until - System.nanoTime(), 1, LOOK_NANOS));
                    }
                }
            }
        }
    }

    @SuppressWarnings("WaitNotInLoop") // whoever calls looks again, whyever it woke
    private void await(long nanos) {
        try {
            wait(nanos / 1_000_000, (int) (nanos % 1_000_000));
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    /**
     * @return 0 when something was done, else when to look again
     */
    private long serve(Request request) {
        long missing = serveFromRoom(request);
        if (missing == 0) {
            return 0;
        }
        long now = System.nanoTime();
        if (missing < 0) {
            return now + LOOK_NANOS;
        }
        List<Eviction.Candidate<Tenant.Group>> all = new ArrayList<>();
        for (Tenant each : tenants) {
            if (each != request.tenant && each.isTrusted(now) && each.tryGate(GATE_MILLIS)) {
                try {
                    all.addAll(each.candidates());
                } finally {
                    each.leave();
                }
            }
        }
        return switch (eviction.decide(all, missing, now)) {
            case Eviction.Decision.Move<Tenant.Group> move -> {
                boolean moved = moveOut(move.all());
                request.hopeless &= !moved;
                yield moved ? 0 : hopeless(request, missing, System.nanoTime());
            }
            case Eviction.Decision.Wait<Tenant.Group> wait -> {
                request.hopeless = false;
                yield wait.until();
            }
            case Eviction.Decision.Never<Tenant.Group> _ -> hopeless(request, missing, now);
        };
    }

    /**
     * @return 0 when it is over with the request, bytes that are missing, or -1 when the context is
     *     not to be had at the moment
     */
    private long serveFromRoom(Request request) {
        Tenant tenant = request.tenant;
        if (tenant.isLeaving()) {
            answer(request, false);
            return 0;
        }
        if (!tenant.tryGate(GATE_MILLIS)) {
            return -1;
        }
        try {
            if (!tenant.isWhole()) {
                long needed = tenant.absentBytes();
                if (!reserve(needed, true)) {
                    synchronized (this) {
                        return Math.max(1, needed - (capacity - resident));
                    }
                }
                tenant.moveIn();
            }
            answer(request, tenant.isWhole());
            if (tenant.isHeld()) {
                // It did not come, and its work still waits for it.
                ask(tenant);
            }
            return 0;
        } finally {
            tenant.leave();
        }
    }

    private boolean moveOut(List<Tenant.Group> chosen) {
        Map<Tenant, List<Place>> byTenant = new LinkedHashMap<>();
        for (Tenant.Group each : chosen) {
            byTenant.computeIfAbsent(each.tenant(), _ -> new ArrayList<>()).addAll(each.places());
        }
        boolean all = true;
        for (Map.Entry<Tenant, List<Place>> each : byTenant.entrySet()) {
            Tenant tenant = each.getKey();
            if (!tenant.tryGate(GATE_MILLIS)) {
                all = false;
                continue;
            }
            boolean held;
            try {
                all &= tenant.moveOut(each.getValue());
                held = tenant.isHeld() && !tenant.isWhole();
            } finally {
                tenant.leave();
            }
            if (held) {
                // Its work is under way, so it wants back without asking.
                ask(tenant);
            }
        }
        return all;
    }

    /** Fails a request that has no chance, unless work under way depends on it. */
    private long hopeless(Request request, long missing, long now) {
        if (!request.hopeless) {
            request.hopeless = true;
            request.hopelessSince = now;
        }
        if (now - request.hopelessSince < PATIENCE_NANOS) {
            return now + LOOK_NANOS;
        }
        Tenant tenant = request.tenant;
        tenant.occupant()
                .log(
                        "no room for its memory on the device: "
                                + missing
                                + " bytes are missing, and what others have there cannot be moved;"
                                + " end one of them, or promise less");
        if (tenant.tryGate(GATE_MILLIS)) {
            boolean held;
            try {
                held = tenant.isHeld();
            } finally {
                tenant.leave();
            }
            answer(request, false);
            if (held) {
                ask(tenant);
            }
            return 0;
        }
        return now + LOOK_NANOS;
    }

    /** Nobody is served from now on. */
    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }
}
