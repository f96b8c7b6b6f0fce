package facet.device.nvidia;

import facet.device.Access;
import facet.device.Box;
import facet.device.DeviceException;
import facet.device.Event;
import facet.device.Launch;
import facet.device.Stream;
import facet.device.nvidia.foreign.DriverMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream of the driver's, and the queue before it: what is to be done in between by this process
 * ({@link #suspend}, {@link #callback}) waits there, and so does what may not begin yet.
 *
 * <pre>
 *   calls ──► queue ── giver ──► driver's stream
 *                        └──► under way ── finisher ──► turns, marks
 * </pre>
 *
 * Giver and finisher are threads of the device's pool, one of each at most, while there is
 * something to do; who has nothing more to give finishes.
 */
final class NvidiaStream implements Stream {
    /** So long a processor is kept busy for nothing, at most, behind each piece of work. */
    private static final long LINGER_NANOS = 30_000;

    private final NvidiaContext context;
    private final long handle;
    private final LaunchWork launches;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Step> queue = new ArrayDeque<>();
    private final UnderWay underWay;
    private volatile boolean giving;
    private boolean suspended;

    /** Whether a thread that has just given looks for more: then no other one is to. */
    private boolean lingers;

    NvidiaStream(NvidiaContext context, long handle) {
        this.context = context;
        this.handle = handle;
        launches = new LaunchWork(context.device());
        underWay = new UnderWay(context, handle, lock, changed);
    }

    // ---- what is asked for

    @Override
    public void launch(Launch launch) {
        context.check();
        NvidiaKernel kernel = launches.check(launch);
        if (kernel.usesHeap()) {
            context.needHeap();
        }
        put(new Step.Launching(launch, kernel));
    }

    @Override
    public void launch(Launch launch, Access access) {
        launch(launch);
    }

    @Override
    public void copyToDevice(long destination, MemorySegment source) {
        device(
                (stream, batch) ->
                        driver().toDevice(destination, HostMemory.here(source, batch), stream),
                destination,
                source.byteSize());
    }

    @Override
    public void copyFromDevice(MemorySegment destination, long source) {
        MemorySegment here = HostMemory.roomFor(destination);
        device(
                (stream, batch) -> {
                    batch.keep(here);
                    driver().fromDevice(here, source, stream);
                },
                0,
                0);
        fetch(here, destination);
    }

    @Override
    public void copyToDevice(long destination, MemorySegment source, Box box) {
        device(
                (stream, batch) ->
                        driver().box(
                                        destination,
                                        false,
                                        HostMemory.here(source, batch).address(),
                                        true,
                                        box,
                                        stream),
                destination,
                HostMemory.written(box));
    }

    @Override
    public void copyFromDevice(MemorySegment destination, long source, Box box) {
        MemorySegment here = HostMemory.roomFor(destination);
        if (!destination.isNative()) {
            here.copyFrom(destination); // what lies between rows stays
        }
        device(
                (stream, batch) -> {
                    batch.keep(here);
                    driver().box(here.address(), true, source, false, box, stream);
                },
                0,
                0);
        fetch(here, destination);
    }

    private void fetch(MemorySegment here, MemorySegment destination) {
        if (!destination.isNative()) {
            put(new Step.Between(() -> destination.copyFrom(here), false));
        }
    }

    @Override
    public void copy(long destination, long source, long bytes) {
        device(
                (stream, _) -> driver().onDevice(destination, source, bytes, stream),
                destination,
                bytes);
    }

    @Override
    public void copy(long destination, long source, Box box) {
        device(
                (stream, _) -> driver().box(destination, false, source, false, box, stream),
                destination,
                HostMemory.written(box));
    }

    @Override
    public void fill(long destination, int value, int width, long count) {
        device(
                (stream, _) -> driver().fill(destination, value, width, count, stream),
                destination,
                Math.multiplyExact(width, count));
    }

    private void device(Step.Give work, long address, long bytes) {
        context.check();
        put(new Step.Device(work, address, bytes));
    }

    private DriverMemory driver() {
        return context.device().memory();
    }

    @Override
    public void record(Event event) {
        NvidiaEvent.Recorded record = ((NvidiaEvent) event).begin();
        put(new Step.Recording(record));
    }

    @Override
    public void await(Event event) {
        NvidiaEvent.Recorded record = ((NvidiaEvent) event).last();
        if (!record.never()) {
            put(new Step.Awaiting(record));
        }
    }

    @Override
    public void callback(Runnable action) {
        put(new Step.Between(action, false));
    }

    @Override
    public void between(Runnable action) {
        put(new Step.Between(action, true));
    }

    @Override
    public void suspend(Consumer<Runnable> action) {
        put(new Step.Suspend(action));
    }

    @Override
    public void whenEnded(Runnable action) {
        put(new Step.Mark(action));
    }

    private void put(Step step) {
        lock.lock();
        try {
            queue.add(step);
            beginGiving();
        } finally {
            lock.unlock();
        }
    }

    /** With the lock. */
    private void beginGiving() {
        if (!giving && !suspended && !queue.isEmpty()) {
            giving = true;
            if (!lingers) {
                context.device().threads().execute(this::give);
            }
        }
    }

    // ---- giving it to the driver

    private void give() {
        try {
            context.use();
        } catch (DeviceException e) {
            context.lost(e);
        }
        do {
            giveAll();
        } while (linger());
    }

    /** Who waits for each launch has the next one in microseconds: sooner than a thread wakes. */
    private boolean linger() {
        lock.lock();
        try {
            if (giving || lingers) {
                return false;
            }
            lingers = true;
        } finally {
            lock.unlock();
        }
        for (long end = System.nanoTime() + LINGER_NANOS; !giving && System.nanoTime() < end; ) {
            Thread.onSpinWait();
        }
        lock.lock();
        try {
            lingers = false;
            return giving;
        } finally {
            lock.unlock();
        }
    }

    private void giveAll() {
        Step step;
        while ((step = next()) != null) {
            try {
                perform(step);
            } catch (DeviceException e) {
                // Sizes were checked when it was asked for; what the driver refuses now is told.
                context.failed(e);
                step.abandon();
            } catch (RuntimeException e) {
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
        }
    }

    /** Null when there is nothing more to do now. */
    private @Nullable Step next() {
        lock.lock();
        try {
            if (!suspended && !queue.isEmpty()) {
                underWay.beginFinishing();
                return queue.poll();
            }
        } finally {
            lock.unlock();
        }
        underWay.close();
        boolean finishes = false;
        lock.lock();
        try {
            Step step = suspended ? null : queue.poll();
            if (step != null) {
                return step;
            }
            giving = false;
            finishes = underWay.takesOver();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (finishes) {
            underWay.finish();
        }
        return null;
    }

    private void perform(Step step) {
        boolean lost = context.isLost();
        switch (step) {
            case Step.Device device -> {
                Batch batch = lost ? null : underWay.batch();
                if (batch != null) {
                    device.work().to(handle, batch);
                    context.textures().changed(device.address(), device.bytes(), handle);
                    batch.add();
                    underWay.closeIfFull(batch);
                }
            }
            case Step.Launching launching -> {
                if (!lost && launching.kernel().prints()) {
                    underWay.settle();
                    context.device().printing().during(() -> print(launching), context::print);
                } else if (!lost) {
                    launch(launching);
                }
            }
            case Step.Recording recording -> record(recording.record());
            case Step.Awaiting awaiting -> await(awaiting);
            case Step.Mark mark -> underWay.add(mark.action());
            case Step.Between between -> {
                underWay.settle();
                if (between.always() || !context.isLost()) {
                    between.action().run();
                    useAgain();
                }
            }
            case Step.Suspend suspend -> suspended(suspend);
        }
    }

    /** An action may have been about memory of another context. */
    private void useAgain() {
        if (!context.isLost()) {
            context.use();
        }
    }

    /** A driver writes what was printed when somebody waits for the context. */
    private void print(Step.Launching step) {
        launch(step);
        underWay.settle();
        if (!context.isLost()) {
            context.use();
            context.driver().synchronize();
        }
    }

    private void launch(Step.Launching step) {
        LaunchWork.Parts parts = launches.parts(step.launch(), step.kernel());
        NvidiaKernel.Textures textures = step.kernel().textures();
        while (parts.isLeft()) {
            Batch batch = underWay.batch();
            if (batch == null) {
                return;
            }
            if (textures != NvidiaKernel.Textures.NONE) {
                context.textures().bring(handle, batch);
            }
            batch.add(step.kernel(), parts.next(handle));
            underWay.closeIfFull(batch);
        }
        if (textures == NvidiaKernel.Textures.WRITTEN) {
            context.textures().changed(handle);
        }
    }

    private void record(NvidiaEvent.Recorded record) {
        Batch batch = context.isLost() ? null : underWay.batch();
        if (batch == null) {
            record.given().completeExceptionally(new IllegalStateException("a fault came before"));
            return;
        }
        Marks.Mark mark = context.marks().next();
        mark.record(handle);
        batch.add();
        record.given().complete(mark);
    }

    /** Who is waited for may need the turn that this stream has. */
    private void await(Step.Awaiting step) {
        CompletableFuture<Marks.Mark> given = step.record().given();
        if (!given.isDone()) {
            underWay.settle();
            lock.lock();
            try {
                suspended = true;
            } finally {
                lock.unlock();
            }
            var _ = given.whenComplete((_, _) -> resume());
            putFirst(step);
            return;
        }
        Batch batch =
                context.isLost() || given.isCompletedExceptionally() ? null : underWay.batch();
        if (batch != null) {
            Marks.Mark mark = given.join();
            batch.keep(mark);
            mark.awaitIn(handle);
            batch.add();
        }
    }

    private void putFirst(Step step) {
        lock.lock();
        try {
            queue.addFirst(step);
        } finally {
            lock.unlock();
        }
        // It may have been given in between.
        if (step instanceof Step.Awaiting awaiting && awaiting.record().given().isDone()) {
            resume();
        }
    }

    private void suspended(Step.Suspend suspend) {
        underWay.settle();
        if (context.isLost()) {
            return;
        }
        lock.lock();
        try {
            suspended = true;
        } finally {
            lock.unlock();
        }
        suspend.action().accept(this::resume);
    }

    private void resume() {
        lock.lock();
        try {
            suspended = false;
            beginGiving();
        } finally {
            lock.unlock();
        }
    }

    /** The context has ended: what is in the queue is dropped now, step by step. */
    void wake() {
        resume();
    }

    // ---- waiting

    @Override
    public boolean isIdle() {
        lock.lock();
        try {
            return isAtRest();
        } finally {
            lock.unlock();
        }
    }

    private boolean isAtRest() {
        return queue.isEmpty() && !giving && !suspended && underWay.isOver();
    }

    /** Waits until it is idle. */
    void rest() {
        lock.lock();
        try {
            while (!isAtRest()) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void synchronize() {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        whenEnded(() -> ended.complete(null));
        Void _ = ended.join();
        context.fault()
                .ifPresent(e -> {
                    throw e;
                });
    }

    @Override
    public void close() {
        context.forget(this);
        if (!context.isLost()) {
            context.use();
            int _ = context.driver().destroyStream(handle);
        }
    }
}
