package facet.device.nvidia;

import facet.device.Access;
import facet.device.Box;
import facet.device.DeviceException;
import facet.device.Event;
import facet.device.Launch;
import facet.device.Stream;
import java.lang.foreign.Arena;
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
 *                        └──► batches under way ── finisher ──► turns, marks
 * </pre>
 *
 * Giver and finisher are threads of the device's pool, one of each at most, while there is
 * something to do; who has nothing more to give finishes.
 */
final class NvidiaStream implements Stream {
    /** So that one follows another without a gap; more would only keep others waiting. */
    private static final int MOST_UNDER_WAY = 2;

    private final NvidiaContext context;
    private final long handle;
    private final LaunchWork launches;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Step> queue = new ArrayDeque<>();
    private final Deque<Batch> underWay = new ArrayDeque<>();
    private boolean giving;
    private boolean finishing;
    private boolean suspended;
    private int batches;

    /** Of the giver. */
    private @Nullable Batch open;

    /** What stands in the queue. */
    private sealed interface Step {
        /** For the driver. */
        interface Give {
            void to(long stream, Batch batch);
        }

        record Device(Give work) implements Step {}

        record Launching(Launch launch, NvidiaKernel kernel) implements Step {}

        record Recording(NvidiaEvent.Recorded record) implements Step {}

        record Awaiting(NvidiaEvent.Recorded record) implements Step {}

        record Mark(Runnable action) implements Step {}

        /**
         * @param always also after a fault
         */
        record Between(Runnable action, boolean always) implements Step {}

        record Suspend(Consumer<Runnable> action) implements Step {}
    }

    NvidiaStream(NvidiaContext context, long handle) {
        this.context = context;
        this.handle = handle;
        launches = new LaunchWork(context.device());
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
        device((stream, batch) ->
                context.device().memory().toDevice(destination, here(source, batch), stream));
    }

    @Override
    public void copyFromDevice(MemorySegment destination, long source) {
        MemorySegment here = roomFor(destination);
        device((stream, batch) -> {
            batch.keep(here);
            context.device().memory().fromDevice(here, source, stream);
        });
        fetch(here, destination);
    }

    @Override
    public void copyToDevice(long destination, MemorySegment source, Box box) {
        device((stream, batch) ->
                context.device()
                        .memory()
                        .box(destination, false, here(source, batch).address(), true, box, stream));
    }

    @Override
    public void copyFromDevice(MemorySegment destination, long source, Box box) {
        MemorySegment here = roomFor(destination);
        if (!destination.isNative()) {
            here.copyFrom(destination); // what lies between rows stays
        }
        device((stream, batch) -> {
            batch.keep(here);
            context.device().memory().box(here.address(), true, source, false, box, stream);
        });
        fetch(here, destination);
    }

    /** The driver reads native memory alone. */
    private static MemorySegment here(MemorySegment source, Batch batch) {
        MemorySegment here = source;
        if (!source.isNative()) {
            here =
                    Arena.ofAuto()
                            .allocate(Math.max(1, source.byteSize()))
                            .asSlice(0, source.byteSize());
            here.copyFrom(source);
        }
        batch.keep(here);
        return here;
    }

    private static MemorySegment roomFor(MemorySegment destination) {
        return destination.isNative()
                ? destination
                : Arena.ofAuto()
                        .allocate(Math.max(1, destination.byteSize()))
                        .asSlice(0, destination.byteSize());
    }

    private void fetch(MemorySegment here, MemorySegment destination) {
        if (!destination.isNative()) {
            put(new Step.Between(() -> destination.copyFrom(here), false));
        }
    }

    @Override
    public void copy(long destination, long source, long bytes) {
        device((stream, _) ->
                context.device().memory().onDevice(destination, source, bytes, stream));
    }

    @Override
    public void copy(long destination, long source, Box box) {
        device((stream, _) ->
                context.device().memory().box(destination, false, source, false, box, stream));
    }

    @Override
    public void fill(long destination, int value, int width, long count) {
        device((stream, _) ->
                context.device().memory().fill(destination, value, width, count, stream));
    }

    private void device(Step.Give work) {
        context.check();
        put(new Step.Device(work));
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
            context.device().threads().execute(this::give);
        }
    }

    // ---- giving it to the driver

    private void give() {
        try {
            context.use();
        } catch (DeviceException e) {
            context.lost(e);
        }
        Step step;
        while ((step = next()) != null) {
            try {
                perform(step);
            } catch (DeviceException e) {
                // Sizes were checked when it was asked for; what the driver refuses now is told.
                context.failed(e);
                abandon(step);
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
                beginFinishing();
                return queue.poll();
            }
        } finally {
            lock.unlock();
        }
        closeBatch();
        boolean finishes = false;
        lock.lock();
        try {
            Step step = suspended ? null : queue.poll();
            if (step != null) {
                return step;
            }
            giving = false;
            finishes = takesOverFinishing();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (finishes) {
            finish();
        }
        return null;
    }

    /** Somebody else waits for what is under way. With the lock. */
    private void beginFinishing() {
        if (takesOverFinishing()) {
            context.device().threads().execute(this::finish);
        }
    }

    /** Whether this thread is to wait for what is under way. With the lock. */
    private boolean takesOverFinishing() {
        if (finishing || underWay.isEmpty()) {
            return false;
        }
        finishing = true;
        return true;
    }

    private void perform(Step step) {
        boolean lost = context.isLost();
        switch (step) {
            case Step.Device device -> {
                Batch batch = lost ? null : batch();
                if (batch != null) {
                    device.work.to(handle, batch);
                    batch.add();
                    closeIfFull(batch);
                }
            }
            case Step.Launching launching -> {
                if (!lost && launching.kernel.prints()) {
                    settle();
                    context.device().printing().during(() -> print(launching), context::print);
                } else if (!lost) {
                    launch(launching);
                }
            }
            case Step.Recording recording -> record(recording.record);
            case Step.Awaiting awaiting -> await(awaiting.record);
            case Step.Mark mark -> {
                closeBatch();
                follow(Batch.of(mark.action));
            }
            case Step.Between between -> {
                settle();
                if (between.always || !context.isLost()) {
                    between.action.run();
                }
            }
            case Step.Suspend suspend -> suspended(suspend);
        }
    }

    /** A driver writes what was printed when somebody waits for the context. */
    private void print(Step.Launching step) {
        launch(step);
        settle();
        if (!context.isLost()) {
            context.use();
            context.driver().synchronize();
        }
    }

    private void launch(Step.Launching step) {
        LaunchWork.Parts parts = launches.parts(step.launch, step.kernel);
        while (parts.isLeft()) {
            Batch batch = batch();
            if (batch == null) {
                return;
            }
            batch.add(step.kernel, parts.next(handle));
            closeIfFull(batch);
        }
    }

    private void record(NvidiaEvent.Recorded record) {
        Batch batch = context.isLost() ? null : batch();
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
    private void await(NvidiaEvent.Recorded record) {
        CompletableFuture<Marks.Mark> given = record.given();
        if (!given.isDone()) {
            settle();
            lock.lock();
            try {
                suspended = true;
            } finally {
                lock.unlock();
            }
            var _ = given.whenComplete((_, _) -> resume());
            putFirst(new Step.Awaiting(record));
            return;
        }
        Batch batch = context.isLost() || given.isCompletedExceptionally() ? null : batch();
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
        if (step instanceof Step.Awaiting awaiting && awaiting.record.given().isDone()) {
            resume();
        }
    }

    private void suspended(Step.Suspend suspend) {
        settle();
        if (context.isLost()) {
            return;
        }
        lock.lock();
        try {
            suspended = true;
        } finally {
            lock.unlock();
        }
        suspend.action.accept(this::resume);
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

    private static void abandon(Step step) {
        switch (step) {
            case Step.Recording recording ->
                    recording
                            .record
                            .given()
                            .completeExceptionally(new IllegalStateException("it was refused"));
            case Step.Mark mark -> mark.action.run();
            case Step.Device _,
                    Step.Launching _,
                    Step.Awaiting _,
                    Step.Between _,
                    Step.Suspend _ -> {}
        }
    }

    // ---- batches

    /** Where the next work goes; null when the context has ended meanwhile. */
    private @Nullable Batch batch() {
        Batch present = open;
        if (present != null && (context.gate().isClosed() || context.device().turns().isAsked())) {
            closeBatch();
            present = null;
        }
        if (present != null) {
            return present;
        }
        awaitRoom(MOST_UNDER_WAY);
        if (!context.gate().enter(context::isLost)) {
            return null;
        }
        if (!context.device().turns().enter(context::isLost)) {
            context.gate().leave();
            return null;
        }
        boolean begun = false;
        try {
            Batch made = Batch.begin(context.marks(), handle);
            open = made;
            begun = true;
            return made;
        } finally {
            if (!begun) {
                context.device().turns().leave(0);
                context.gate().leave();
            }
        }
    }

    private void closeIfFull(Batch batch) {
        if (batch.isFull()) {
            closeBatch();
        }
    }

    private void closeBatch() {
        Batch batch = open;
        if (batch == null) {
            return;
        }
        open = null;
        try {
            batch.close(context.marks(), handle);
        } catch (DeviceException e) {
            context.failed(e);
        }
        follow(batch);
    }

    private void follow(Batch batch) {
        lock.lock();
        try {
            underWay.add(batch);
            batches += batch.action == null ? 1 : 0;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no more than so many batches are under way. */
    private void awaitRoom(int most) {
        lock.lock();
        try {
            beginFinishing();
            while (batches >= most) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all has ended that was given to the driver. */
    private void settle() {
        closeBatch();
        boolean finishes;
        lock.lock();
        try {
            finishes = takesOverFinishing();
            while (finishing && !finishes) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
        if (finishes) {
            finish();
        }
    }

    // ---- what has ended

    private void finish() {
        while (true) {
            Batch batch;
            lock.lock();
            try {
                batch = underWay.peek();
                if (batch == null) {
                    finishing = false;
                    changed.signalAll();
                    return;
                }
            } finally {
                lock.unlock();
            }
            if (batch.action == null) {
                end(batch);
            } else {
                act(batch.action);
            }
            lock.lock();
            try {
                underWay.remove();
                batches -= batch.action == null ? 1 : 0;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private void end(Batch batch) {
        long nanos = 0;
        try {
            context.use();
            int result = batch.await();
            if (result == 0) {
                nanos = batch.measure();
            } else {
                DeviceException _ = context.failed("cuEventSynchronize", result);
            }
        } catch (DeviceException e) {
            context.failed(e);
        } finally {
            context.spent(nanos);
            context.device().turns().leave(nanos);
            context.gate().leave();
        }
    }

    private static void act(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
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
        return queue.isEmpty() && !giving && !finishing && !suspended && underWay.isEmpty();
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
