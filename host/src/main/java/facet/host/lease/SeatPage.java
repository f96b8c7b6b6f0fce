package facet.host.lease;

import facet.abi.Constants;
import facet.abi.SeatLayout;
import facet.abi.SeatsHeaderLayout;
import facet.os.FutexUnsafe;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * What daemon and worker tell each other of the seats of one device. A program that has the
 * vendor's driver in it borrows as a worker does; native/direct has the other side of it in C.
 *
 * <pre>
 *   SeatsHeader   wanted     pieces of work that wait for a seat                 the worker's
 *                 contended  whether others wait for a seat                      the daemon's
 *                 known      of those that wait, how many the daemon knows of    the daemon's
 *                 heard      when the daemon last looked                         the daemon's
 *                 launches   of programs with the vendor's driver in them        the program's
 *   Seat, each    state      see below                                           both, by compare and set
 *                 wakes      counted up to wake the seat's thread, a futex       both
 *                 revoked    when the seat was asked back, or NEVER              the daemon's
 *                 busy       nanoseconds of work that has ended                  the worker's
 *                 began      when the present work began, or 0                   the worker's
 *
 *              daemon lends              worker begins
 *      AWAY ────────────────► LENT ──────────────────────► BUSY
 *       ▲ ▲                    │                          │  ▲
 *       │ └── daemon takes ────┘                          │  │ worker begins
 *       │                            worker ends, keeps   ▼  │
 *       ├──── daemon or worker ◄───────────────────────── IDLE
 *       └──── worker gives back ◄──────────────────────── BUSY
 * </pre>
 *
 * A seat that is IDLE costs its worker nothing: the next work begins there without a word to the
 * daemon, as long as nobody else wants the seat. Times are those of {@link System#nanoTime}, which
 * is one clock for all processes of a machine.
 */
public final class SeatPage {
    /** The seat is not the worker's. */
    public static final int AWAY = Constants.SEAT_AWAY;

    /** The worker may begin work. */
    public static final int LENT = Constants.SEAT_LENT;

    public static final int BUSY = Constants.SEAT_BUSY;

    /** Work has ended; more may begin. */
    public static final int IDLE = Constants.SEAT_IDLE;

    /** Later than anything. */
    public static final long NEVER = 1L << 62;

    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private static final long WANTED = SeatsHeaderLayout.WANTED_OFFSET;
    private static final long CONTENDED = SeatsHeaderLayout.CONTENDED_OFFSET;
    private static final long KNOWN = SeatsHeaderLayout.KNOWN_OFFSET;
    private static final long HEARD = SeatsHeaderLayout.HEARD_OFFSET;
    private static final long LAUNCHES = SeatsHeaderLayout.LAUNCHES_OFFSET;
    private static final long SEAT_BYTES = SeatLayout.BYTES;
    private static final long STATE = SeatLayout.STATE_OFFSET;
    private static final long WAKES = SeatLayout.WAKES_OFFSET;
    private static final long REVOKED = SeatLayout.REVOKED_OFFSET;
    private static final long BUSY_NANOS = SeatLayout.BUSY_OFFSET;
    private static final long BEGAN = SeatLayout.BEGAN_OFFSET;

    private final MemorySegment memory;
    private final int seats;

    private SeatPage(MemorySegment memory, int seats) {
        this.memory = memory;
        this.seats = seats;
    }

    /** Bytes for a device. */
    public static long bytes(int seats) {
        return SeatsHeaderLayout.BYTES + SEAT_BYTES * seats;
    }

    /** The page of one of several devices with as many seats. */
    public static SeatPage of(MemorySegment all, int device, int seats) {
        return new SeatPage(all.asSlice(device * bytes(seats), bytes(seats), Long.BYTES), seats);
    }

    public int seats() {
        return seats;
    }

    private long at(int seat, long field) {
        return SeatsHeaderLayout.BYTES + SEAT_BYTES * seat + field;
    }

    // ---- what the worker says

    public int wanted() {
        return (int) INT.getVolatile(memory, WANTED);
    }

    void want(int pieces) {
        INT.setVolatile(memory, WANTED, pieces);
    }

    public int state(int seat) {
        return (int) INT.getVolatile(memory, at(seat, STATE));
    }

    boolean change(int seat, int from, int to) {
        return INT.compareAndSet(memory, at(seat, STATE), from, to);
    }

    void begin(int seat, long now) {
        LONG.setVolatile(memory, at(seat, BEGAN), now);
    }

    /** When the present work began. */
    long began(int seat) {
        return (long) LONG.get(memory, at(seat, BEGAN));
    }

    /** Who reads in between sees too little, never too much; the next look sees it all. */
    void end(int seat, long now) {
        long began = (long) LONG.get(memory, at(seat, BEGAN));
        long busy = (long) LONG.get(memory, at(seat, BUSY_NANOS));
        LONG.setVolatile(memory, at(seat, BEGAN), 0L);
        LONG.setVolatile(memory, at(seat, BUSY_NANOS), busy + Math.max(0, now - began));
    }

    /** Nanoseconds of work on a seat so far, by the worker's own books. */
    public long busy(int seat, long now) {
        long ended = (long) LONG.getVolatile(memory, at(seat, BUSY_NANOS));
        long began = (long) LONG.getVolatile(memory, at(seat, BEGAN));
        return began > 0 && began < now ? ended + (now - began) : ended;
    }

    // ---- what the daemon says

    /** The page of a worker that has nothing yet. */
    public void format() {
        memory.fill((byte) 0);
        for (int seat = 0; seat < seats; seat++) {
            revoke(seat, NEVER);
        }
    }

    boolean isContended() {
        return (int) INT.getVolatile(memory, CONTENDED) != 0;
    }

    public void contend(boolean others) {
        INT.setVolatile(memory, CONTENDED, others ? 1 : 0);
    }

    int known() {
        return (int) INT.getVolatile(memory, KNOWN);
    }

    /**
     * What the worker knows to be known it does not ring for. Nothing is known while the daemon
     * looks, so that whatever it does not see is rung for.
     */
    public void know(int pieces) {
        INT.setVolatile(memory, KNOWN, pieces);
    }

    /** The daemon has looked; who borrows can tell that it is there. */
    public void hear(long now) {
        LONG.setVolatile(memory, HEARD, now);
    }

    /** What the borrower says to have given to the device. */
    public long launches() {
        return (long) LONG.getVolatile(memory, LAUNCHES);
    }

    /** When the seat was asked back, or NEVER. */
    long revoked(int seat) {
        return (long) LONG.getVolatile(memory, at(seat, REVOKED));
    }

    public void revoke(int seat, long now) {
        LONG.setVolatile(memory, at(seat, REVOKED), now);
    }

    /** Lends a seat that is away, and wakes its thread. */
    public void lend(int seat) {
        revoke(seat, NEVER);
        INT.setVolatile(memory, at(seat, STATE), LENT);
        wake(seat);
    }

    /** Takes a seat on which nothing runs; false when something does. */
    public boolean take(int seat) {
        return change(seat, IDLE, AWAY) || change(seat, LENT, AWAY);
    }

    // ---- sleeping

    int wakes(int seat) {
        return (int) INT.getVolatile(memory, at(seat, WAKES));
    }

    void wake(int seat) {
        INT.getAndAdd(memory, at(seat, WAKES), 1);
        FutexUnsafe.wake(memory, at(seat, WAKES), 1);
    }

    /** Wakes all that sleep there: a program waits with as many threads as it likes. */
    public void wakeAll(int seat) {
        INT.getAndAdd(memory, at(seat, WAKES), 1);
        FutexUnsafe.wake(memory, at(seat, WAKES), Integer.MAX_VALUE);
    }

    void sleep(int seat, int seen, long nanos) {
        FutexUnsafe.await(memory, at(seat, WAKES), seen, nanos);
    }
}
