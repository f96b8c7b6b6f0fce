package facet.host.ledger;

import facet.abi.Constants;
import facet.slices.Size;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * What the sessions of a slice really have of a device, counted from their commands. Where the
 * sessions are hosted there is one for each device.
 *
 * <p>Sessions have rings of their own, so the host may see an allocation of one before it sees the
 * free of another that made room for it. The sum may therefore be beyond the limit for a moment.
 * What one session has may not; and when the sum stays too high, whoever is to blame is ended.
 */
public final class Ledger {
    /** How long honest sessions may take to have their frees seen. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How long a session with commands that were not looked at yet is waited for. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** A claim waits this long for others to take back what they claimed in vain. */
    private static final long CLAIM_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(250);

    /** And this long for sessions whose program is gone to give back what they have. */
    private static final long LEAVING_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long LOOK_AT_LEAVING_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final LedgerMemory memory;
    private final int device;
    private final long claimNanos;
    private final Map<Integer, Account> accounts = new HashMap<>();
    private long total;

    /**
     * What the sum may be: the limit, and for a while after it was lowered what it was before. Then
     * it comes down with what the sessions give back.
     */
    private long ceiling;

    /** Freed memory whose pages the system does not have back yet. */
    private long returning;

    /** Claims that were granted and wait for that memory. */
    private final List<Runnable> patient = new ArrayList<>();

    private long loweredAt;
    private boolean lowered;
    private long beyondSince;
    private boolean auditing;

    /** Who allocated while the sum was beyond the limit, the last one last. */
    private final LinkedHashSet<Account> beyond = new LinkedHashSet<>();

    /** What one session has. */
    private static final class Account {
        private final int slot;
        private final BooleanSupplier drained;
        private final BooleanSupplier leaving;
        private final Consumer<String> end;
        private long held;

        private Account(
                int slot, BooleanSupplier drained, BooleanSupplier leaving, Consumer<String> end) {
            this.slot = slot;
            this.drained = drained;
            this.leaving = leaving;
            this.end = end;
        }
    }

    /**
     * @param device which of the slice's devices
     */
    public Ledger(LedgerMemory memory, int device) {
        this(memory, device, CLAIM_NANOS);
    }

    /**
     * @param claimNanos how long a claim waits for others to take theirs back
     */
    Ledger(LedgerMemory memory, int device, long claimNanos) {
        this.claimNanos = claimNanos;
        this.memory = memory;
        this.ceiling = memory.limit(device);
        this.device = device;
    }

    /** One for each device of the slice. */
    public static List<Ledger> ofAll(LedgerMemory memory) {
        return IntStream.range(0, memory.devices())
                .mapToObj(each -> new Ledger(memory, each))
                .toList();
    }

    public long limit() {
        return memory.limit(device);
    }

    /** Which of the slice's devices it is of. */
    public int device() {
        return device;
    }

    /**
     * Changes the limit of all devices. When it is lowered nothing is taken away: what sessions
     * have, and what they claimed before they could see the new limit, stays theirs.
     */
    public static void limit(List<Ledger> devices, long bytes) {
        // Every host knows a higher limit before a client can see it.
        devices.forEach(each -> each.prepare(bytes));
        devices.getFirst().memory.limit(bytes);
    }

    private synchronized void prepare(long wanted) {
        long bytes = memory.atMost(device, wanted);
        lowered = bytes < ceiling;
        if (lowered) {
            loweredAt = System.nanoTime();
        } else {
            ceiling = bytes;
        }
    }

    private void settle() {
        if (lowered && System.nanoTime() - loweredAt > PATIENCE_NANOS) {
            ceiling = Math.max(limit(), Math.min(ceiling, total));
            lowered = ceiling > limit();
        }
    }

    /**
     * @param drained whether all that the session sent has been looked at
     * @param leaving whether it is about to leave, because its program is gone or it was ended
     * @param end ends a session that has more than it may, with a reason; any thread
     */
    public synchronized void join(
            int slot, BooleanSupplier drained, BooleanSupplier leaving, Consumer<String> end) {
        if (accounts.putIfAbsent(slot, new Account(slot, drained, leaving, end)) != null) {
            throw new IllegalStateException("ledger slot " + slot + " is taken");
        }
    }

    public synchronized void leave(int slot) {
        Account account = accounts.remove(slot);
        if (account != null) {
            memory.clear(device, slot);
            beyond.remove(account);
            subtract(account, account.held);
        }
    }

    public synchronized long held(int slot) {
        Account account = accounts.get(slot);
        return account == null ? 0 : account.held;
    }

    /**
     * What the session has as its slice's programs see it: they count an allocation when they make
     * it, the host when it comes to the command. Claims that are no longer possible count nothing.
     */
    public synchronized long used(int slot) {
        long held = held(slot);
        boolean possible = accounts.containsKey(slot) && memory.taken(device) <= limit();
        return possible ? Math.max(held, memory.claimed(device, slot)) : held;
    }

    /** Counts an allocation. False when no honest client can have made it. */
    public synchronized boolean allocate(int slot, long bytes) {
        Account account = accounts.get(slot);
        settle();
        if (account == null || bytes < 0 || bytes > ceiling - account.held) {
            return false;
        }
        account.held += bytes;
        total += bytes;
        if (total > ceiling) {
            beyond.remove(account);
            beyond.add(account);
            if (beyondSince == 0) {
                beyondSince = System.nanoTime();
            }
            if (!auditing) {
                auditing = true;
                Thread.ofVirtual().name("facet-audit").start(this::audit);
            }
        }
        return true;
    }

    public synchronized void release(int slot, long bytes) {
        Account account = accounts.get(slot);
        if (account != null) {
            subtract(account, bytes);
        }
    }

    private void subtract(Account account, long bytes) {
        account.held -= bytes;
        total -= bytes;
        settle();
        if (total <= ceiling) {
            beyondSince = 0;
            beyond.clear();
        }
    }

    /**
     * Decides about bytes that the session's client does not see free. When granted they are added
     * to its claim. The same steps as the client's own, so that of two at once one sees the other.
     */
    public boolean claim(int slot, long bytes) {
        return claim(slot, bytes, claimNanos);
    }

    /** The same, without waiting for others. */
    public boolean claimNow(int slot, long bytes) {
        return claim(slot, bytes, 0);
    }

    /** Waits as a claim does, and claims nothing. */
    public void awaitRoom(int slot, long bytes) {
        if (claim(slot, bytes)) {
            memory.add(device, slot, -bytes);
        }
    }

    private boolean claim(int slot, long bytes, long patience) {
        if (bytes < 0 || bytes > limit()) {
            return false;
        }
        long begun = System.nanoTime();
        while (true) {
            long waited = System.nanoTime() - begun;
            boolean early = waited < patience;
            // Asked before the look: who has left since then is not counted in it.
            boolean worth =
                    early || patience > 0 && waited < LEAVING_NANOS && isRoomComing(slot, bytes);
            synchronized (this) {
                memory.add(device, slot, bytes);
                if (memory.taken(device) <= limit()) {
                    return true;
                }
                memory.add(device, slot, -bytes);
            }
            if (!worth) {
                return false;
            }
            LockSupport.parkNanos(early ? LOOK_NANOS : LOOK_AT_LEAVING_NANOS);
        }
    }

    /**
     * Whether it fits once those have left that are about to; not when it is one of them itself.
     */
    private boolean isRoomComing(int slot, long bytes) {
        List<Account> all;
        synchronized (this) {
            all = List.copyOf(accounts.values());
        }
        long staying = bytes;
        boolean anyLeaves = false;
        for (Account each : all) {
            boolean leaves = each.leaving.getAsBoolean();
            if (leaves && each.slot == slot) {
                return false;
            }
            anyLeaves |= leaves;
            staying += leaves ? 0 : memory.claimed(device, each.slot);
        }
        return anyLeaves && staying <= limit();
    }

    /** What the host takes on behalf of a session: module variables, heap, memory of blocks. */
    public boolean take(int slot, long bytes) {
        return take(slot, bytes, claimNanos);
    }

    /** The same, without waiting for others who may take back what they claimed in vain. */
    public boolean takeNow(int slot, long bytes) {
        return take(slot, bytes, 0);
    }

    private boolean take(int slot, long bytes, long patience) {
        if (!claim(slot, bytes, patience)) {
            return false;
        }
        if (!allocate(slot, bytes)) {
            memory.add(device, slot, -bytes);
            return false;
        }
        return true;
    }

    /**
     * The session pays from now on for what another one of the slice has paid for; nothing when it
     * has left.
     */
    public synchronized void add(int slot, long bytes) {
        Account account = accounts.get(slot);
        if (account != null) {
            memory.add(device, slot, bytes);
            account.held += bytes;
            total += bytes;
        }
    }

    /** Gives back what was taken with {@link #take}; nothing when the session has left. */
    public synchronized void give(int slot, long bytes) {
        if (accounts.containsKey(slot)) {
            memory.add(device, slot, -bytes);
            release(slot, bytes);
        }
    }

    /**
     * Pages of freed memory are to go back to the system, or have gone when it is less than 0. Free
     * memory is free at once; but who wants it waits until the machine has it, see {@link
     * #whenRoomy}. Any thread.
     */
    public void returning(long change) {
        List<Runnable> ready;
        synchronized (this) {
            returning += change;
            memory.returning(change);
            if (patient.isEmpty() || !isRoomy()) {
                return;
            }
            ready = List.copyOf(patient);
            patient.clear();
        }
        ready.forEach(Runnable::run);
    }

    /**
     * Runs the action when what sessions have claimed fits in the limit together with what is on
     * its way back to the system, about: now, or on the thread that gives it back.
     */
    public void whenRoomy(Runnable action) {
        synchronized (this) {
            if (!isRoomy()) {
                patient.add(action);
                return;
            }
        }
        action.run();
    }

    private boolean isRoomy() {
        return returning <= 0
                || memory.taken(device) + returning <= limit() + limit() / Constants.KEPT_PART;
    }

    /** Runs while the sum is beyond the limit, and ends who is to blame once that lasts. */
    private void audit() {
        while (true) {
            LockSupport.parkNanos(GRACE_NANOS);
            List<Account> guilty;
            synchronized (this) {
                if (total <= ceiling) {
                    beyondSince = 0;
                    beyond.clear();
                }
                if (beyondSince == 0) {
                    auditing = false;
                    return;
                }
                long age = System.nanoTime() - beyondSince;
                guilty = age < GRACE_NANOS ? List.of() : guilty(age > PATIENCE_NANOS);
            }
            for (Account each : guilty) {
                each.end.accept(
                        "it has "
                                + Size.text(each.held)
                                + " of device memory and says "
                                + Size.text(memory.claimed(device, each.slot))
                                + "; all sessions of its slice have more than "
                                + Size.text(limit()));
            }
        }
    }

    /** Who must end so that the sum fits: who says less than it has, else who came last. */
    private List<Account> guilty(boolean late) {
        List<Account> guilty = new ArrayList<>();
        boolean waiting = false;
        for (Account each : accounts.values()) {
            if (each.held > memory.claimed(device, each.slot)) {
                if (late || each.drained.getAsBoolean()) {
                    guilty.add(each);
                } else {
                    waiting = true;
                }
            }
        }
        if (!guilty.isEmpty() || waiting) {
            return guilty;
        }
        long excess = total - ceiling;
        for (Account each : beyond.reversed()) {
            if (excess > 0) {
                guilty.add(each);
                excess -= each.held;
            }
        }
        return guilty;
    }
}
