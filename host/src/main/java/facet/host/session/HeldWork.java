package facet.host.session;

import facet.abi.Result;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.host.residency.Reach;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Work that cannot be given to the device yet: its kernel is being compiled, its memory is not
 * there, or there is no room for its blocks. Its stream stands still at its place, and goes on when
 * it has ended, was refused, or the context has ended. Nobody waits: whatever was missing comes on
 * a thread of its own, and that thread gives the work to the device. Any thread.
 *
 * <pre>
 *   HELD ── claim ──► GIVEN ──► OVER      the work runs in the stream's side stream
 *     └──── cancel, refused ──────┘       the stream goes on without it
 * </pre>
 */
final class HeldWork {
    private enum State {
        HELD,
        GIVEN,
        OVER
    }

    private final ContextWork owner;
    private final SessionContext context;
    private final SessionStream stream;
    private final Reach reach;
    private final List<SessionContext> others;
    private final boolean counted;

    /** What it waits for before it is tried: its turn in the stream, and its kernel. */
    private final AtomicInteger missing;

    private final Work asked;
    private volatile @Nullable Work work;
    private volatile int result = Result.SUCCESS;
    private State state = State.HELD;
    private @Nullable Runnable resume;

    /** Commands that were given to the stream behind it, up to the next that was held back. */
    private int behind;

    /** Whether some of them touch memory. */
    private boolean followed;

    /** Whether it has waited for room in the slice. Of the one thread that tries. */
    private boolean patient;

    /**
     * @param reach what it touches
     * @param others contexts whose memory it touches too
     * @param counted whether the client counts it, and it is retired
     * @param isMade whether its kernel is there
     */
    HeldWork(
            ContextWork owner,
            SessionContext context,
            SessionStream stream,
            Reach reach,
            Work work,
            List<SessionContext> others,
            boolean counted,
            boolean isMade) {
        this.owner = owner;
        this.context = context;
        this.stream = stream;
        this.reach = reach;
        this.asked = work;
        this.work = work;
        this.others = others;
        this.counted = counted;
        missing = new AtomicInteger(isMade ? 1 : 2);
    }

    /** What became of it; it is over. */
    int result() {
        return result;
    }

    boolean isCounted() {
        return counted;
    }

    /**
     * A command was given to its stream behind it.
     *
     * @return false when it is not held back any more
     */
    synchronized boolean follow(boolean touchesMemory) {
        if (state != State.HELD) {
            return false;
        }
        behind++;
        followed |= touchesMemory;
        owner.stuck(1);
        return true;
    }

    private synchronized boolean isFollowed() {
        return followed && state == State.HELD;
    }

    // ---- what it waits for

    /** Its stream has come to it. */
    void reached(Runnable goOn) {
        boolean isOver;
        synchronized (this) {
            resume = goOn;
            isOver = state == State.OVER;
        }
        if (isOver) {
            goOn.run();
        } else {
            met();
        }
    }

    /**
     * Its kernel is there, or will not be.
     *
     * @param failure why it will not be, or null
     */
    void made(@Nullable Throwable failure) {
        switch (failure) {
            case null -> {}
            case DeviceException e -> {
                owner.refused(e);
                drop(e);
            }
            case OutOfMemoryError _ ->
                    drop(Result.ERROR_OUT_OF_MEMORY, "there is no memory to compile its kernel");
            case StackOverflowError _ ->
                    drop(Result.ERROR_INVALID_PTX, "its kernel is nested too deeply");
            case Throwable e -> {
                owner.defect(e);
                drop(Result.ERROR_UNKNOWN, "its kernel cannot be compiled");
            }
        }
        met();
    }

    private void met() {
        if (missing.decrementAndGet() == 0) {
            attempt();
        }
    }

    /** Memory may be there, or will not be. */
    private void again(boolean possible) {
        if (possible) {
            attempt();
            return;
        }
        if (context.isEnding()) {
            work = null;
            end();
            return;
        }
        drop(Result.ERROR_OUT_OF_MEMORY, "there is no room for its memory on the device");
        if (isFollowed()) {
            // What comes behind it found its memory there, which may have left meanwhile.
            context.holding().holdBack();
        }
        end();
    }

    // ---- giving it to the device

    private void attempt() {
        try {
            tryOnce();
        } catch (RuntimeException e) {
            owner.defect(e);
            drop(Result.ERROR_UNKNOWN, "it cannot be given to the device");
            end();
        }
    }

    private void tryOnce() {
        if (context.device().fault().isPresent()) {
            // Nothing of the context runs any more, neither this nor what is behind it.
            end();
            return;
        }
        for (SessionContext each : others) {
            if (!each.holding().stay(this::again)) {
                return;
            }
        }
        boolean whole = isFollowed();
        if (!context.holding().enter(whole ? Reach.EVERYTHING : reach, this::again)) {
            return;
        }
        long lacking = 0;
        boolean wasFollowed;
        try {
            // With the gate: what touches memory comes behind it before this, or is not held up.
            wasFollowed = !whole && isFollowed();
            if (!wasFollowed && claim()) {
                lacking = give();
            }
        } finally {
            context.holding().leave();
        }
        if (wasFollowed) {
            tryOnce();
        } else if (lacking > 0) {
            patient = true;
            owner.awaitRoom(lacking, this::attempt);
        } else {
            endBehind();
        }
    }

    /** From now on it is under way; false when it was over before. */
    private synchronized boolean claim() {
        if (state == State.HELD) {
            state = State.GIVEN;
            owner.notStuck(this, behind);
        }
        return state == State.GIVEN;
    }

    /** Bytes of the slice that were not to be had now; 0 when it is done with. */
    private long give() {
        Work wanted = work;
        if (wanted == null) {
            return 0;
        }
        context.memory().lastTry(patient);
        try {
            wanted.on(stream.side());
        } catch (DeviceException e) {
            long lacking = context.memory().takeLacking();
            if (!patient
                    && lacking > 0
                    && asked.isWhole()
                    && e.error() == DeviceError.OUT_OF_MEMORY) {
                return lacking;
            }
            drop(e);
        } finally {
            context.memory().lastTry(false);
        }
        return 0;
    }

    // ---- the end

    private void drop(DeviceException why) {
        if (context.device().fault().isEmpty()) {
            drop(why.error().code(), String.valueOf(why.getMessage()));
        } else {
            work = null;
        }
    }

    /** It is not to be done: the next wait reports why. */
    private void drop(int error, String why) {
        boolean first = work != null;
        work = null;
        if (first && context.device().fault().isEmpty()) {
            result = error;
            if (counted) {
                stream.latchLate(error);
            }
            owner.log(why);
        }
    }

    /** It is not held back any more, whatever it waits for; nothing when it is under way. */
    void cancel() {
        Over over;
        synchronized (this) {
            if (state != State.HELD) {
                return;
            }
            work = null;
            over = over();
        }
        over.tell(Runnable::run);
    }

    /** The stream goes on when its work has ended. */
    private void endBehind() {
        over().tell(stream::whenSideEnded);
    }

    private void end() {
        over().tell(Runnable::run);
    }

    /**
     * It has come to an end.
     *
     * @param work whom to tell; null when that was told before
     * @param goOn lets the stream go on; null when it has not come to it yet
     */
    private record Over(@Nullable Work work, @Nullable Runnable goOn) {
        void tell(Consumer<Runnable> how) {
            if (work != null) {
                work.over();
            }
            if (goOn != null) {
                how.accept(goOn);
            }
        }
    }

    private synchronized Over over() {
        if (state == State.OVER) {
            return new Over(null, null);
        }
        if (state == State.HELD) {
            owner.notStuck(this, behind);
        }
        state = State.OVER;
        owner.isOver(this);
        return new Over(asked, resume);
    }
}
