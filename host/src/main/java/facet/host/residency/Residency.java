package facet.host.residency;

import facet.device.Memory;
import facet.sched.Eviction;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What is on a device: never more than it has. Contexts whose memory is not all there ask for it
 * and are served in the order in which they asked, by one thread. In a worker it is the book of
 * what the worker was lent of the device. Any thread.
 */
public final class Residency implements AutoCloseable {
    static final long GATE_MILLIS = 20;

    private static final long ASK_NANOS = 100_000_000;

    /** Whether somebody is idle changes without a word; so often it is looked at. */
    static final long LOOK_NANOS = 20_000_000;

    /**
     * @param resident bytes on the device
     * @param movedOut bytes in host memory
     * @param moves of allocations, out and back in
     */
    public record Figures(long resident, long movedOut, long moves, long movedBytes) {}

    private final String name;
    private final Eviction eviction;
    private final Source source;
    private final Set<ContextHolding> holdings = ConcurrentHashMap.newKeySet();
    private final Set<RemoteRoom> rooms = ConcurrentHashMap.newKeySet();
    private final Map<Claimant, Request> queue = new LinkedHashMap<>();
    private @Nullable Thread thread;
    private final long askNanos;

    /** When what can move is not enough, somebody may still free, or let go of, what cannot. */
    private volatile long patienceNanos = 12_000_000_000L;

    private long capacity;

    /** What holdings have on the device, and what was lent to others. */
    private long taken;

    private long movedOut;
    private long moves;
    private long movedBytes;
    private final Map<String, Moves> untold = new LinkedHashMap<>();

    /** Grows with all that may be of interest to the serving thread. */
    private long changes;

    private boolean closed;

    /**
     * @param capacity bytes of the device
     */
    public Residency(String name, long capacity) {
        this(name, capacity, Eviction.STANDARD);
    }

    public Residency(String name, long capacity, Eviction eviction) {
        this(name, capacity, eviction, ASK_NANOS);
    }

    /**
     * @param askNanos for so long it is waited for what other processes tell of their room before
     *     it is decided who leaves
     */
    public Residency(String name, long capacity, Eviction eviction, long askNanos) {
        this.name = name;
        this.capacity = capacity;
        this.eviction = eviction;
        this.askNanos = askNanos;
        source = new Clearing(this);
    }

    /**
     * Of what was lent to this process.
     *
     * @param lent how it gets more
     */
    public Residency(String name, LentRoom lent, Eviction eviction) {
        this.name = name;
        this.capacity = lent.enter(this);
        this.eviction = eviction;
        this.askNanos = ASK_NANOS;
        source = lent;
    }

    /** Refuses who has no chance after so long; 12 seconds if nobody says otherwise. */
    public void patience(Duration other) {
        patienceNanos = other.toNanos();
    }

    long patienceNanos() {
        return patienceNanos;
    }

    /** Whether it is of what was lent to this process. */
    boolean isLent() {
        return source instanceof LentRoom;
    }

    public Eviction eviction() {
        return eviction;
    }

    long askNanos() {
        return askNanos;
    }

    /** For where nobody is promised more than there is. */
    public static Residency unbounded() {
        return new Residency("unbounded", Long.MAX_VALUE);
    }

    /**
     * A new context.
     *
     * @param memory its memory; open until {@link ContextHolding#end}
     */
    public ContextHolding admit(Occupant occupant, Memory memory) {
        ContextHolding holding = new ContextHolding(this, occupant, memory);
        holdings.add(holding);
        return holding;
    }

    /**
     * Lends room to another process: all that it may ever want when that is free, so that it need
     * not ask.
     *
     * @param most bytes that it may want
     */
    public RemoteRoom lend(RemoteRoom.Borrower borrower, long most) {
        synchronized (this) {
            RemoteRoom room = new RemoteRoom(this, borrower, most, takeUpTo(most));
            rooms.add(room);
            return room;
        }
    }

    Set<ContextHolding> holdings() {
        return holdings;
    }

    Set<RemoteRoom> rooms() {
        return rooms;
    }

    public synchronized Figures figures() {
        long unused = 0;
        long out = movedOut;
        for (RemoteRoom each : rooms) {
            unused += each.unused();
            out += each.movedOut();
        }
        return new Figures(taken - unused, out, moves, movedBytes);
    }

    /** Bytes that contexts of this process have on the device; what is just coming is not there. */
    public long resident() {
        return holdings.stream().mapToLong(ContextHolding::resident).sum();
    }

    /** Bytes of a slice that are on the device. */
    public long residentOf(String slice) {
        long sum =
                holdings.stream()
                        .filter(each -> each.occupant().slice().equals(slice))
                        .mapToLong(ContextHolding::resident)
                        .sum();
        return sum
                + rooms.stream()
                        .filter(each -> each.slice().equals(slice))
                        .mapToLong(RemoteRoom::resident)
                        .sum();
    }

    // ---- the book

    /** Takes room if there is any, and nobody waits for it. */
    synchronized boolean reserve(long bytes) {
        return queue.isEmpty() && reserveFirst(bytes) == 0;
    }

    /**
     * The same for one who waits.
     *
     * @return bytes that are missing, or 0
     */
    synchronized long reserveFirst(long bytes) {
        if (bytes > capacity - taken) {
            return Math.max(1, bytes - (capacity - taken));
        }
        taken += bytes;
        return 0;
    }

    /** Takes as much as is free; nothing when somebody waits. */
    synchronized long takeUpTo(long bytes) {
        long all = queue.isEmpty() ? Math.clamp(capacity - taken, 0, bytes) : 0;
        taken += all;
        return all;
    }

    synchronized void release(long bytes) {
        taken -= bytes;
        changed();
    }

    synchronized void movedOut(long bytes) {
        movedOut += bytes;
    }

    synchronized void countMoves(String slice, Moves some) {
        moves += some.out() + some.back();
        movedBytes += some.outBytes() + some.backBytes();
        untold.merge(slice, some, Moves::plus);
    }

    /** What moved since this was asked before, by slice. */
    public synchronized Map<String, Moves> takeMoves() {
        if (untold.isEmpty()) {
            return Map.of();
        }
        Map<String, Moves> known = Map.copyOf(untold);
        untold.clear();
        return known;
    }

    synchronized void remove(ContextHolding holding, long itsResident, long itsOut) {
        holdings.remove(holding);
        movedOut -= itsOut;
        release(itsResident);
    }

    synchronized void remove(RemoteRoom room, long lent) {
        rooms.remove(room);
        queue.remove(room);
        release(lent);
    }

    synchronized long capacity() {
        return capacity;
    }

    synchronized void capacity(long bytes) {
        capacity = bytes;
        changed();
    }

    /** What is not taken; less than nothing while others are about to leave. */
    synchronized long free() {
        return capacity - taken;
    }

    // ---- asking

    /**
     * Puts a context behind the others who wait for their memory, unless it does already.
     *
     * @param later is told how it went; at once when nobody is served any more
     */
    void ask(ContextHolding holding, Later later) {
        synchronized (this) {
            if (!closed && !holding.isLeaving()) {
                ask(holding).listen(later);
                return;
            }
        }
        later.again(false);
    }

    /** Puts it behind the others who wait, unless it does already. */
    synchronized Request ask(Claimant claimant) {
        Request known = queue.get(claimant);
        if (known != null && claimant instanceof ContextHolding) {
            return known; // it wants what it wanted; a process may want more than before
        }
        Request request = queue.computeIfAbsent(claimant, Request::new);
        begin();
        changed();
        return request;
    }

    synchronized boolean isServing() {
        return !closed;
    }

    /** It does not wait any more. */
    void withdraw(Claimant claimant) {
        Request request;
        synchronized (this) {
            request = queue.get(claimant);
        }
        if (request != null) {
            answer(request, false);
        }
    }

    /** Who waits for longest. */
    synchronized Optional<Claimant> first() {
        return queue.keySet().stream().findFirst();
    }

    synchronized boolean isAlone(Claimant claimant) {
        return queue.size() == 1 && queue.containsKey(claimant);
    }

    private void answer(Request request, boolean granted) {
        List<Later> told;
        synchronized (this) {
            if (request.over) {
                return;
            }
            told = request.end();
            queue.remove(request.claimant, request);
            changed();
        }
        told.forEach(each -> each.again(granted));
    }

    /** There will be no room for it. False when it cannot be told yet. */
    boolean refuse(Request request, long missing) {
        Optional<Boolean> again = request.claimant.refuse(missing);
        if (again.isEmpty()) {
            return false;
        }
        answer(request, false);
        if (again.get()) {
            ask(request.claimant);
        }
        return true;
    }

    // ---- serving

    /** Starts the thread that serves, when it is needed for the first time. */
    synchronized void begin() {
        if (thread == null && !closed) {
            thread = Thread.ofPlatform().name("facet-residency-" + name).daemon().start(this::run);
        }
    }

    synchronized void changed() {
        changes++;
        notifyAll();
    }

    private void run() {
        while (true) {
            List<Request> waiting;
            long known;
            synchronized (this) {
                if (closed) {
                    return;
                }
                waiting = List.copyOf(queue.values());
                known = changes;
                if (waiting.isEmpty() && !source.isDue()) {
                    await(0);
                    continue;
                }
            }
            source.begin(waiting);
            long until = serve(waiting);
            source.end();
            if (until != 0) {
                synchronized (this) {
                    if (!closed && changes == known) {
                        await(Math.clamp(until - System.nanoTime(), 1, LOOK_NANOS));
                    }
                }
            }
        }
    }

    @SuppressWarnings("WaitNotInLoop") // whoever calls looks again, for whatever reason it woke
    private void await(long nanos) {
        try {
            wait(nanos / 1_000_000, (int) (nanos % 1_000_000));
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    /**
     * For the first one that can take it room is made. What fits without anybody's leaving need not
     * wait for that.
     *
     * @return 0 when something was done, else when to look again
     */
    private long serve(List<Request> waiting) {
        long until = System.nanoTime() + LOOK_NANOS;
        Request first = null;
        for (Request each : waiting) {
            if (first != null && first.collecting) {
                break;
            }
            switch (serveFromRoom(each)) {
                case Claimant.Outcome.Over _ -> {}
                case Claimant.Outcome.Busy(boolean soon) ->
                        first = first == null && soon && each.collecting ? each : first;
                case Claimant.Outcome.Missing(long bytes) -> {
                    if (first == null) {
                        first = each;
                        until = source.makeRoom(each, bytes);
                    }
                }
            }
            if (until == 0) {
                break;
            }
        }
        return until;
    }

    private Claimant.Outcome serveFromRoom(Request request) {
        if (request.over || request.claimant.isLeaving()) {
            answer(request, false);
            return new Claimant.Outcome.Over(false, false);
        }
        Claimant.Outcome outcome = request.claimant.claim();
        if (outcome instanceof Claimant.Outcome.Over(boolean granted, boolean again)) {
            answer(request, granted);
            if (again) {
                ask(request.claimant);
            }
        }
        return outcome;
    }

    /** Nobody is served from now on. */
    @Override
    public void close() {
        List<Request> waiting;
        synchronized (this) {
            closed = true;
            notifyAll();
            waiting = List.copyOf(queue.values());
        }
        waiting.forEach(each -> answer(each, false));
    }
}
