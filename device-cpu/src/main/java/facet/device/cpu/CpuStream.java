package facet.device.cpu;

import facet.device.Access;
import facet.device.Box;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Event;
import facet.device.Launch;
import facet.device.Stream;
import facet.device.SubmittingThread;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * A queue of steps. While it is not empty exactly one worker, or the launch at its head, drives it;
 * each step calls {@code done} when it has ended.
 */
final class CpuStream implements Stream, SubmittingThread.Held {
    /** Spins before a waiting caller parks. */
    private static final int SPINS = 3_000;

    /** Bytes that are copied or set in a few microseconds. */
    private static final long FEW_BYTES = 64 << 10;

    /** Of what may take any time. */
    private static final long UNKNOWN = Long.MAX_VALUE;

    private static final Runnable TIDY = Scratch::endOfWorker;

    /** One step; it may end on another thread, long after {@code begin} returned. */
    interface Step {
        void begin(Runnable done);

        /** Whether it takes less than it takes to wake a thread, as far as one knows. */
        default boolean isShort() {
            return false;
        }
    }

    /** One that takes next to nothing. */
    private interface ShortStep extends Step {
        @Override
        default boolean isShort() {
            return true;
        }
    }

    private final CpuContext context;
    private final ArrayDeque<Step> queue = new ArrayDeque<>();
    private boolean active;
    private long submitted;
    private volatile long ended;

    CpuStream(CpuContext context) {
        this.context = context;
    }

    void submit(Step step) {
        if (enqueue(step)) {
            handOver();
        }
    }

    /** Whether it is the first, so that nobody drives the stream yet. */
    private boolean enqueue(Step step) {
        boolean first;
        synchronized (this) {
            queue.add(step);
            submitted++;
            first = !active;
            active = true;
        }
        return first;
    }

    @Override
    public void handOver() {
        context.submit(this::drive);
    }

    /** The thread that brought it drives it, as far as that is short. */
    @Override
    public void doHere(Runnable takeOver) {
        SubmittingThread own = SubmittingThread.current();
        if (own != null) {
            own.whenItEnds(TIDY);
        }
        context.device().seats().doHere(context.control(), this::driveHere, takeOver);
    }

    /** What is begun by the calling thread is to be begun before it waits for something. */
    private static void beginHeld() {
        SubmittingThread own = SubmittingThread.current();
        if (own != null) {
            own.handOver();
        }
    }

    /** A step that ends when it returns. */
    private void submitNow(long bytes, Runnable action) {
        if (bytes <= FEW_BYTES) {
            submit((ShortStep) done -> perform(action, done));
        } else {
            submit(done -> perform(action, done));
        }
    }

    private void perform(Runnable action, Runnable done) {
        try {
            if (context.fault().isEmpty()) {
                action.run();
            }
        } catch (DeviceException e) {
            fail(e);
        } catch (RuntimeException e) {
            fail(new DeviceException(DeviceError.LAUNCH_FAILED, "a callback threw " + e, e));
        } finally {
            done.run();
        }
    }

    private void fail(DeviceException e) {
        context.fail(e, "context " + context.options().name() + ": " + e.getMessage());
    }

    /** Runs steps until the queue is empty or one goes on elsewhere. */
    private void drive() {
        drive(false);
    }

    private void driveHere() {
        drive(true);
    }

    /**
     * @param here whether only what is short is done
     */
    private void drive(boolean here) {
        if (!context.control().enter(this::drive)) {
            return;
        }
        try {
            driveOn(here);
        } finally {
            context.control().leave();
        }
    }

    private void driveOn(boolean here) {
        for (boolean first = true; ; first = false) {
            // Whoever was just chosen does something before it makes room.
            if (!first
                    && (context.control().isPaused() || context.device().seats().mustGiveWay())) {
                handOver();
                return;
            }
            Step step;
            synchronized (this) {
                step = queue.peek();
                if (step == null) {
                    active = false;
                    return;
                }
                if (!here || step.isShort()) {
                    queue.remove();
                } else {
                    step = null;
                }
            }
            if (step == null) {
                handOver();
                return;
            }
            Progress progress = new Progress();
            step.begin(() -> progress.end(this));
            if (!progress.leave()) {
                return;
            }
        }
    }

    /** Decides whether the driver goes on by itself or is called again when the step ends. */
    private static final class Progress {
        private boolean ended;
        private boolean left;

        void end(CpuStream stream) {
            stream.finished();
            boolean resume;
            synchronized (this) {
                ended = true;
                resume = left;
            }
            if (resume) {
                stream.drive();
            }
        }

        synchronized boolean leave() {
            left = true;
            return ended;
        }
    }

    private void finished() {
        synchronized (this) {
            ended++;
            notifyAll();
        }
    }

    @Override
    public void launch(Launch launch) {
        context.check();
        Step step = Launches.prepare(context, launch, null);
        if (enqueue(step)) {
            SubmittingThread own = SubmittingThread.current();
            // Other steps are not held: who gives them may go on to wait for something.
            if (own == null || !step.isShort() || !own.hold(this)) {
                handOver();
            }
        }
    }

    @Override
    public void launch(Launch launch, Access access) {
        context.check();
        submit(Launches.prepare(context, launch, (CpuAccess) access));
    }

    /** What is done with memory that the context may access; else the stream ends in a fault. */
    private void access(Runnable submission) {
        try {
            submission.run();
        } catch (DeviceException e) {
            if (e.error() != DeviceError.ILLEGAL_ADDRESS) {
                throw e;
            }
            submitNow(
                    0,
                    () -> {
                        throw e;
                    });
        }
    }

    private MemorySegment read(long address, long bytes) {
        return context.bytes(address, bytes, false);
    }

    private MemorySegment written(long address, long bytes) {
        return context.bytes(address, bytes, true);
    }

    private void submitCopy(MemorySegment into, MemorySegment from) {
        submitNow(from.byteSize(), () -> Bulk.copy(context, into, from));
    }

    private void submitCopy(MemorySegment into, MemorySegment from, Box box) {
        submitNow(UNKNOWN, () -> Bulk.copy(context, into, from, box));
    }

    @Override
    public void copyToDevice(long destination, MemorySegment source) {
        access(() -> submitCopy(written(destination, source.byteSize()), source));
    }

    @Override
    public void copyFromDevice(MemorySegment destination, long source) {
        access(() -> submitCopy(destination, read(source, destination.byteSize())));
    }

    @Override
    public void copyToDevice(long destination, MemorySegment source, Box box) {
        access(() ->
                submitCopy(
                        written(destination, Boxes.destinationBytes(box)),
                        source.asSlice(0, Boxes.sourceBytes(box)),
                        box));
    }

    @Override
    public void copyFromDevice(MemorySegment destination, long source, Box box) {
        access(() ->
                submitCopy(
                        destination.asSlice(0, Boxes.destinationBytes(box)),
                        read(source, Boxes.sourceBytes(box)),
                        box));
    }

    @Override
    public void copy(long destination, long source, long bytes) {
        access(() -> submitCopy(written(destination, bytes), read(source, bytes)));
    }

    @Override
    public void copy(long destination, long source, Box box) {
        access(() ->
                submitCopy(
                        written(destination, Boxes.destinationBytes(box)),
                        read(source, Boxes.sourceBytes(box)),
                        box));
    }

    @Override
    public void fill(long destination, int value, int width, long count) {
        if (width != 1 && width != 2 && width != 4 || destination % width != 0) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    "a fill with elements of "
                            + width
                            + " bytes at 0x"
                            + Long.toHexString(destination));
        }
        access(() -> {
            MemorySegment memory = written(destination, Math.multiplyExact(count, width));
            submitNow(memory.byteSize(), () -> Bulk.fill(context, memory, value, width));
        });
    }

    /** Sets bytes in rows and slices. */
    void fill(long destination, int value, Box box) {
        MemorySegment into = context.memory().at(destination, Boxes.destinationBytes(box));
        submitNow(UNKNOWN, () -> Bulk.fill(context, into, value, box));
    }

    @Override
    public void record(Event event) {
        CpuEvent mark = (CpuEvent) event;
        long ticket = mark.begin();
        submit(
                (ShortStep)
                        done -> {
                            mark.complete(ticket);
                            done.run();
                        });
    }

    @Override
    public void await(Event event) {
        CpuEvent mark = (CpuEvent) event;
        long ticket = mark.ticket();
        if (mark.isComplete(ticket)) {
            return;
        }
        submit(
                (ShortStep)
                        done ->
                                context.eventWaits()
                                        .stand(mark, ticket, () -> context.submit(done)));
    }

    @Override
    public void callback(Runnable action) {
        submitNow(UNKNOWN, action);
    }

    @Override
    public void suspend(Consumer<Runnable> action) {
        submit(done -> {
            if (context.fault().isPresent()) {
                done.run();
            } else {
                // Whoever resumes is not to run the steps that follow.
                action.accept(() -> context.submit(done));
            }
        });
    }

    @Override
    public void whenEnded(Runnable action) {
        submit(
                (ShortStep)
                        done -> {
                            try {
                                action.run();
                            } catch (RuntimeException e) {
                                fail(
                                        new DeviceException(
                                                DeviceError.LAUNCH_FAILED,
                                                "a callback threw " + e,
                                                e));
                            } finally {
                                done.run();
                            }
                        });
    }

    @Override
    public synchronized boolean isIdle() {
        return ended == submitted;
    }

    /** Waits for what was submitted before, whatever became of it. */
    void await() {
        beginHeld();
        long target;
        synchronized (this) {
            target = submitted;
        }
        for (int i = 0; i < SPINS; i++) {
            if (ended >= target) {
                return;
            }
            Thread.onSpinWait();
        }
        boolean interrupted = false;
        synchronized (this) {
            while (ended < target) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void synchronize() {
        await();
        context.check();
    }

    @Override
    public void close() {
        await();
        context.forget(this);
    }
}
