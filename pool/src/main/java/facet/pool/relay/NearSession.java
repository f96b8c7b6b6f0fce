package facet.pool.relay;

import facet.abi.Allocate;
import facet.abi.CallbackRecordLayout;
import facet.abi.Claim;
import facet.abi.Constants;
import facet.abi.ContextCreate;
import facet.abi.ContextDestroy;
import facet.abi.Copy;
import facet.abi.CopyBox;
import facet.abi.CudaDispatcher;
import facet.abi.Envelope;
import facet.abi.Free;
import facet.abi.FreeAsync;
import facet.abi.GraphStep;
import facet.abi.HostFunctionDone;
import facet.abi.Launch;
import facet.abi.LaunchClusters;
import facet.abi.MalformedCommand;
import facet.abi.ModuleLoad;
import facet.abi.ModuleUnload;
import facet.abi.RecordHeaderLayout;
import facet.abi.ReplySlotLayout;
import facet.abi.ReturnPages;
import facet.log.Log;
import facet.os.Connection;
import facet.os.ProcessThreads;
import facet.os.SharedMemoryUnsafe;
import facet.pool.content.ContentScope;
import facet.pool.link.LaneKind;
import facet.pool.link.Link;
import facet.pool.link.LinkEnd;
import facet.pool.link.LinkViolation;
import facet.pool.link.Receiver;
import facet.pool.piece.PieceReader;
import facet.pool.piece.PieceWriter;
import facet.pool.template.RecordEncoder;
import facet.ring.ContextStatus;
import facet.ring.MalformedRecord;
import facet.ring.RingReader;
import facet.ring.SessionMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A session of a program on this node whose device is elsewhere. A thread of its own reads the
 * program's commands and sends them on; what comes back is put where the program looks for it. What
 * commands mean is the other node's to judge: here is only seen to what data goes with them.
 */
public final class NearSession implements Receiver {
    /**
     * Commands that nobody waits for are sent so often at most: what they are sent in costs more
     * than they do.
     */
    private static final long GATHER_NANOS = 50_000;

    /** Looking at memory that both sides share takes no more than half of the time. */
    private static final long MOST_GATHER_NANOS = 5_000_000;

    /** More data than this comes behind the commands that were there before it. */
    private static final long MUCH_DATA = 64 << 10;

    /** How often shared memory is looked at while kernels run, at most. */
    private static final long LOOK_NANOS = 1_000_000;

    /** Looking takes no more than this part of a core. */
    private static final int REST = 10;

    private static final short CALLBACK = 1;

    private final String name;
    private final SessionMemory memory;
    private final Connection client;
    private final Books books;
    private final Log log;
    private final Runnable atEnd;
    private final Arrived arrived = new Arrived();
    private final PieceReader pieces = new PieceReader(null);
    private final AtomicReferenceArray<@Nullable NearContext> contexts =
            new AtomicReferenceArray<>(Constants.CONTEXTS);
    private final AtomicReferenceArray<@Nullable Waiting> slots =
            new AtomicReferenceArray<>(Constants.REPLY_SLOTS);
    private final long[] versions = new long[Constants.CONTEXTS];
    private final RecordEncoder batch = new RecordEncoder();
    private final ConcurrentLinkedQueue<Missing> missing = new ConcurrentLinkedQueue<>();
    private boolean looks;

    /** Somebody waits for a command of the batch. */
    private boolean urgent;

    private long flushed = System.nanoTime();
    private long gather = GATHER_NANOS;
    private long launches;
    private volatile long answers;
    private volatile long deviceNanos;
    private long callbacks;
    private volatile @Nullable Thread watch;

    /** Guards what goes over the bulk lane; held while that has no room. */
    private final Object dataLock = new Object();

    private final ImagePages pages = new Pages();
    private volatile boolean waits;

    private volatile @Nullable String reason;
    private boolean over;

    /** What this node keeps of the session. */
    public interface Books {
        /** It has so much more of a device, for the ledger that programs read; any thread. */
        void add(int device, long bytes);

        /** One of its contexts has ended in an error; any thread. */
        void fault(int result);

        /** Bytes of this machine's memory that it may pin. */
        long mostPinned();

        /** It did what no honest client does, and ends; any thread. */
        void broke(String what);
    }

    /** A piece that the other side was to have and has not. */
    private record Missing(int context, long number, long offset, int bytes) {}

    /** A command that the program waits for. */
    private record Waiting(int type, int context, @Nullable MemorySegment record) {}

    /**
     * @param name for threads
     * @param memory closed at the end, as is the client's connection
     * @param atEnd runs last
     */
    public NearSession(
            String name,
            SessionMemory memory,
            Connection client,
            Books books,
            Log log,
            Runnable atEnd) {
        this.name = name;
        this.memory = memory;
        this.client = client;
        this.books = books;
        this.log = log;
        this.atEnd = atEnd;
    }

    /**
     * Begins.
     *
     * @param to whose {@link Receiver} this is; closed at the end
     * @param scope what the other node keeps for programs of the same slice
     * @param slice its name on the other node
     */
    public void start(Link to, ContentScope scope, String slice, String program, int pid)
            throws IOException {
        byte[] names = (slice + '\0' + program + '\0').getBytes(StandardCharsets.UTF_8);
        BulkLane data = new BulkLane(to, scope);
        BulkLane.send(
                to,
                LaneKind.COMMANDS,
                Messages.start(Messages.OPEN, pid, 0, 2 * Long.BYTES + names.length)
                        .putLong(scope.high())
                        .putLong(scope.low())
                        .put(names)
                        .position(0));
        watch = ProcessThreads.named("facet-relay-" + name + "-watch").start(() -> watch(data));
        ProcessThreads.named("facet-relay-" + name).start(() -> run(to, data));
    }

    public long launches() {
        return launches;
    }

    /** Answers that its program has waited for. */
    public long answers() {
        return answers;
    }

    /**
     * Device time that its slice has had on the other node since the session began, when it was
     * last told: where several programs use the slice at once, theirs too.
     */
    public long deviceNanos() {
        return deviceNanos;
    }

    /** Ends it; the first reason counts. Any thread. */
    public void end(String why) {
        synchronized (this) {
            if (reason == null) {
                reason = why;
            }
            if (!over) {
                memory.stop();
            }
        }
        client.shutdown();
    }

    private void expel(String what) {
        books.broke(what);
        end("it broke the protocol");
    }

    // ---- commands of the program

    private void run(Link to, BulkLane data) {
        try {
            RingReader ring = memory.commands();
            while (!ring.isClosed()) {
                MemorySegment record = ring.poll();
                if (record != null) {
                    take(record, to, data);
                    if (batch.plainBytes() >= Messages.BATCH_BYTES) {
                        flush(to, data);
                    }
                    continue;
                }
                long rest = flushed + gather - System.nanoTime();
                if (batch.records() > 0 && !urgent && rest > 0 && ring.await(rest)) {
                    continue;
                }
                flush(to, data);
                waits = true;
                ring.await(Long.MAX_VALUE);
                waits = false;
            }
        } catch (MalformedRecord | MalformedCommand e) {
            expel(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            end("the link to its device: " + e.getMessage());
        } catch (RuntimeException e) {
            log.say(Log.Level.ERROR, "relay " + name, "ended by an internal error: " + e);
            end("a defect");
        } finally {
            close(to);
        }
    }

    /** Also while there is no room for commands: one may be behind what a kernel waits for. */
    private void watch(BulkLane data) {
        long nap = LOOK_NANOS;
        try {
            while (reason == null) {
                if (!missing.isEmpty()) {
                    sendMissing(data);
                    continue;
                }
                if (!isWatched()) {
                    LockSupport.park(this);
                    continue;
                }
                LockSupport.parkNanos(this, nap);
                long begin = System.nanoTime();
                synchronized (dataLock) {
                    tell(data);
                }
                nap = Math.max(LOOK_NANOS, REST * (System.nanoTime() - begin));
            }
        } catch (IOException e) {
            end("the link to its device: " + e.getMessage());
        } catch (IllegalStateException e) {
            if (reason == null) {
                throw e;
            }
            // A context has just gone, and the session with it.
        }
    }

    /** Whether kernels run that may wait for what the program writes. */
    private boolean isWatched() {
        for (int i = 0; i < contexts.length(); i++) {
            NearContext each = contexts.get(i);
            SharedRanges image = each == null ? null : each.memory();
            if (image != null && each.isBusy() && !image.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private void sendMissing(BulkLane data) throws IOException {
        for (Missing next = missing.poll(); next != null; next = missing.poll()) {
            NearContext context = contexts.get(next.context);
            SharedRanges image = context == null ? null : context.memory();
            synchronized (dataLock) {
                if (image != null) {
                    data.again(next.context, image.segment(), next.offset, next.bytes, next.number);
                }
            }
        }
    }

    private void take(MemorySegment record, Link to, BulkLane data)
            throws MalformedCommand, IOException {
        int type = Envelope.type(record);
        int slot =
                Short.toUnsignedInt(
                        record.get(
                                ValueLayout.JAVA_SHORT_UNALIGNED, RecordHeaderLayout.SLOT_OFFSET));
        Envelope envelope = Envelope.of(record, slot != 0);
        if (slot != 0) {
            to.reduction().waited();
            boolean matters = type == ModuleLoad.TYPE || type == Claim.TYPE;
            slots.set(
                    slot - 1,
                    new Waiting(
                            type,
                            envelope.context(),
                            matters
                                    ? MemorySegment.ofArray(record.toArray(ValueLayout.JAVA_BYTE))
                                    : null));
        }
        NearContext context = contexts.get(envelope.context());
        if (type == ContextCreate.TYPE) {
            ContextCreate create = ContextCreate.decode(record);
            if (context == null) {
                contexts.set(
                        envelope.context(),
                        new NearContext(envelope.context(), create.device(), create.base()));
            }
        } else if (context != null) {
            if (dataOf(type, record, context) > MUCH_DATA) {
                flush(to, data);
            }
            synchronized (dataLock) {
                prepare(type, record, context, data);
            }
            if (CudaDispatcher.isCounted(type)) {
                context.posted();
                looks = true;
            }
        }
        batch.add(record);
        urgent |= slot != 0;
    }

    /** Bytes that go with a command. */
    private static long dataOf(int type, MemorySegment record, NearContext context)
            throws MalformedCommand {
        return switch (type) {
            case Copy.TYPE -> {
                Copy copy = Copy.decode(record);
                yield context.isStaging(copy.source()) ? copy.bytes() : 0;
            }
            case CopyBox.TYPE -> {
                CopyBox box = CopyBox.decode(record);
                yield context.isStaging(box.source()) ? NearContext.extent(box) : 0;
            }
            case ModuleLoad.TYPE -> ModuleLoad.decode(record).imageBytes();
            default -> 0;
        };
    }

    /** Sees to what goes with a command. */
    private void prepare(int type, MemorySegment record, NearContext context, BulkLane data)
            throws MalformedCommand, IOException {
        switch (type) {
            case Allocate.TYPE -> {
                Allocate command = Allocate.decode(record);
                if (context.holds(command.address(), command.bytes())) {
                    context.allocate(command.address(), command.bytes(), command.kind(), data);
                    checkImages();
                }
            }
            case Free.TYPE -> context.free(Free.decode(record).address(), data);
            case FreeAsync.TYPE -> context.free(FreeAsync.decode(record).address(), data);
            case Copy.TYPE -> {
                Copy copy = Copy.decode(record);
                if (context.isStaging(copy.source())) {
                    context.send(copy.source(), copy.bytes(), data);
                }
                context.shareStaging(copy.destination(), data);
            }
            case CopyBox.TYPE -> {
                CopyBox box = CopyBox.decode(record);
                if (context.isStaging(box.source())) {
                    context.send(box.source(), NearContext.extent(box), data);
                }
                context.shareStaging(box.destination(), data);
            }
            case ModuleLoad.TYPE -> {
                ModuleLoad load = ModuleLoad.decode(record);
                context.send(load.image(), load.imageBytes(), data);
            }
            case ReturnPages.TYPE -> {
                ReturnPages pages = ReturnPages.decode(record);
                context.giveBack(pages.address(), pages.bytes());
            }
            case ModuleUnload.TYPE -> context.unloaded(ModuleUnload.decode(record).module());
            case GraphStep.TYPE -> shareOfStep(GraphStep.decode(record), context, data);
            case Launch.TYPE, LaunchClusters.TYPE -> launches++;
            case HostFunctionDone.TYPE -> looks = true;
            default -> {}
        }
    }

    /** The other node has the same bounds, and more memory than this one perhaps. */
    private void checkImages() throws MalformedCommand {
        long staging = sum(each -> each.book().staging());
        long pinned = sum(each -> each.book().pinned());
        if (staging > Constants.STAGING_BYTES || pinned > books.mostPinned()) {
            throw new MalformedCommand(
                    "it takes more of its machine's memory than it may: "
                            + staging
                            + " bytes for data on its way, "
                            + pinned
                            + " pinned");
        }
    }

    private long sum(ToLongFunction<NearContext> figure) {
        long sum = 0;
        for (int i = 0; i < contexts.length(); i++) {
            NearContext each = contexts.get(i);
            sum = each == null ? sum : Math.addExact(sum, figure.applyAsLong(each));
        }
        return sum;
    }

    /** For those who look whether it uses more than it has. */
    public ImagePages pages() {
        return pages;
    }

    private final class Pages implements ImagePages {
        @Override
        public long resident() {
            return sum(NearContext::resident);
        }

        @Override
        public long counted() {
            return sum(each -> each.book().counted());
        }

        @Override
        public long host() {
            return sum(each -> Math.addExact(each.book().staging(), each.book().pinned()));
        }

        @Override
        public long pages() {
            return sum(each -> each.book().pages());
        }

        @Override
        public long returning() {
            return sum(NearContext::returning);
        }

        @Override
        public boolean isDrained() {
            return waits;
        }

        @Override
        public void expel(String why) {
            NearSession.this.expel(why);
        }
    }

    /**
     * A graph is launched later, and often: its staging memory is shared as long as it is there.
     */
    private static void shareOfStep(GraphStep step, NearContext context, BulkLane data)
            throws MalformedCommand, IOException {
        if (step.command().length < RecordHeaderLayout.BYTES) {
            return;
        }
        MemorySegment record = MemorySegment.ofArray(step.command());
        int type = Envelope.type(record);
        if (type == Copy.TYPE) {
            Copy copy = Copy.decode(record);
            context.shareStaging(copy.source(), data);
            context.shareStaging(copy.destination(), data);
        } else if (type == CopyBox.TYPE) {
            CopyBox box = CopyBox.decode(record);
            context.shareStaging(box.source(), data);
            context.shareStaging(box.destination(), data);
        }
    }

    private void flush(Link to, BulkLane data) throws IOException {
        if (batch.records() == 0) {
            return;
        }
        long needs;
        synchronized (dataLock) {
            if (looks) {
                long begin = System.nanoTime();
                tell(data);
                long took = System.nanoTime() - begin;
                gather = Math.clamp(took, GATHER_NANOS, MOST_GATHER_NANOS);
                looks = false;
                LockSupport.unpark(watch);
            }
            needs = data.sent();
        }
        RecordEncoder.Batch all = batch.take();
        ByteBuffer message =
                Messages.start(Messages.BATCH, 0, needs, all.length())
                        .put(all.bytes(), 0, all.length())
                        .position(0);
        to.reduction().sent(message.remaining(), Messages.HEAD + all.plain());
        BulkLane.send(to, LaneKind.COMMANDS, message, all.plain());
        urgent = false;
        flushed = System.nanoTime();
    }

    /** Tells the other side what the program has written in memory that both share. */
    private void tell(BulkLane data) throws IOException {
        for (int i = 0; i < contexts.length(); i++) {
            NearContext each = contexts.get(i);
            SharedRanges image = each == null ? null : each.memory();
            if (image != null) {
                image.tell(i, data::send);
            }
        }
    }

    // ---- what comes back

    @Override
    public void receive(LaneKind lane, ByteBuffer message) throws IOException {
        if (message.remaining() < Messages.PATCH_HEAD) {
            throw new LinkViolation("a message of " + message.remaining() + " bytes");
        }
        if (lane == LaneKind.BULK) {
            receiveBulk(message);
            arrived.one();
            return;
        }
        if (message.remaining() < Messages.HEAD) {
            throw new LinkViolation("a message of " + message.remaining() + " bytes");
        }
        int word = message.getInt(4);
        long needs = message.getLong(8);
        ByteBuffer rest = copyOf(message.position(Messages.HEAD));
        switch (message.get(0)) {
            case Messages.REPLY -> arrived.when(needs, () -> reply(word, rest));
            case Messages.STATUS -> arrived.when(needs, () -> status(word, rest));
            case Messages.CALLBACK -> arrived.when(needs, () -> callBack(rest.getLong(0)));
            case Messages.TEXT -> print(rest);
            case Messages.END -> end(StandardCharsets.UTF_8.decode(rest).toString());
            case Messages.MISSING -> missing(word, rest);
            default -> throw new LinkViolation("a message of kind " + message.get(0));
        }
    }

    private void missing(int id, ByteBuffer rest) throws LinkViolation {
        if (rest.remaining() < 3 * Long.BYTES) {
            throw new LinkViolation("data that is missing nowhere");
        }
        long number = rest.getLong();
        long offset = rest.getLong();
        long bytes = rest.getLong();
        NearContext context = id < 0 || id >= contexts.length() ? null : contexts.get(id);
        SharedRanges image = context == null ? null : context.memory();
        if (image == null) {
            return; // of a context that is gone
        }
        long all = image.segment().byteSize();
        if (bytes <= 0
                || bytes > PieceWriter.mostBytes()
                || offset < 0
                || offset > all - bytes
                || missing.size() > Messages.MOST_MISSING) {
            throw new LinkViolation("data that is missing where there is none");
        }
        missing.add(new Missing(id, number, offset, (int) bytes));
        LockSupport.unpark(watch);
    }

    private static ByteBuffer copyOf(ByteBuffer rest) {
        return ByteBuffer.allocate(rest.remaining())
                .put(rest)
                .flip()
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    private void receiveBulk(ByteBuffer message) throws IOException {
        int id = message.getInt(4);
        NearContext context = id < 0 || id >= contexts.length() ? null : contexts.get(id);
        SharedRanges image = context == null ? null : context.memory();
        if (image == null) {
            return; // of a context that is gone
        }
        switch (message.get(0)) {
            case Messages.DATA -> {
                if (message.remaining() < Messages.PIECE_HEAD) {
                    throw new LinkViolation("bulk data without a place");
                }
                long offset = message.getLong(8);
                pieces.read(
                        message.position(Messages.PIECE_HEAD), data -> image.write(offset, data));
            }
            case Messages.PATCH -> image.apply(message.position(Messages.PATCH_HEAD));
            default -> throw new LinkViolation("bulk data of kind " + message.get(0));
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private synchronized void reply(int slot, ByteBuffer rest) {
        if (over || slot < 0 || slot >= slots.length()) {
            return;
        }
        long sequence = rest.getLong();
        int result = rest.getInt();
        rest.getInt();
        long[] payload = new long[ReplySlotLayout.PAYLOAD_COUNT];
        for (int i = 0; i < payload.length; i++) {
            payload[i] = rest.getLong();
        }
        Waiting waiting = slots.getAndSet(slot, null);
        if (waiting != null) {
            try {
                answered(waiting, result, payload);
            } catch (IOException | MalformedCommand e) {
                end("its context: " + e.getMessage());
                return;
            }
        }
        answers = answers + 1;
        memory.replies().reply(slot, sequence, result, payload);
    }

    /** Sees to what goes with an answer. */
    private void answered(Waiting waiting, int result, long[] payload)
            throws IOException, MalformedCommand {
        NearContext context = contexts.get(waiting.context);
        if (context == null) {
            return;
        }
        switch (waiting.type) {
            case ContextCreate.TYPE -> {
                if (context.memory() == null) {
                    created(context, result, payload[1]);
                }
            }
            case ContextDestroy.TYPE -> {
                if (result == 0) {
                    contexts.set(waiting.context, null);
                    context.close();
                }
            }
            case ModuleLoad.TYPE -> {
                ModuleLoad load = ModuleLoad.decode(Objects.requireNonNull(waiting.record));
                SharedRanges image = context.memory();
                long bytes = Math.min(payload[0], load.answerCapacity());
                if (result == 0 && image != null && context.holds(load.answer(), bytes)) {
                    context.loaded(
                            load.module(),
                            image.segment().asSlice(context.offset(load.answer()), bytes));
                }
            }
            case Claim.TYPE -> {
                if (result == 0) {
                    Claim claim = Claim.decode(Objects.requireNonNull(waiting.record));
                    books.add(context.device(), claim.bytes());
                }
            }
            default -> {}
        }
    }

    /** The program maps an image: the memory itself is elsewhere. */
    private void created(NearContext context, int result, long bytes) throws IOException {
        if (result != 0) {
            contexts.set(context.id(), null);
            return;
        }
        memory.contextStatus(context.id()).clear();
        SharedMemoryUnsafe image = SharedMemoryUnsafe.create("facet-image", bytes);
        context.attach(new SharedRanges(image, "facet-image-shadow"));
        client.send(
                ByteBuffer.allocate(2 * Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(context.id())
                        .putInt(1)
                        .array(),
                image.descriptor());
    }

    private synchronized void status(int id, ByteBuffer rest) {
        NearContext context = id < 0 || id >= contexts.length() ? null : contexts.get(id);
        long version = rest.getLong();
        if (over || context == null || context.memory() == null || version <= versions[id]) {
            return;
        }
        versions[id] = version;
        int fault = rest.getInt();
        rest.getInt();
        long retired = rest.getLong();
        long more = context.used(rest.getLong());
        ContextStatus status = memory.contextStatus(id);
        if (more != 0) {
            books.add(context.device(), more);
            status.used(status.used() + more);
        }
        long returned = rest.getLong();
        context.returned(returned);
        status.returned(returned);
        deviceNanos = rest.getLong();
        if (fault != 0 && status.fault() == 0) {
            books.fault(fault);
        }
        status.fault(fault);
        context.retired(retired);
        status.retired(retired);
    }

    private synchronized void callBack(long token) {
        byte[] record = new byte[CallbackRecordLayout.BYTES];
        MemorySegment fields = MemorySegment.ofArray(record);
        fields.set(ValueLayout.JAVA_INT_UNALIGNED, RecordHeaderLayout.LENGTH_OFFSET, record.length);
        fields.set(ValueLayout.JAVA_SHORT_UNALIGNED, RecordHeaderLayout.TYPE_OFFSET, CALLBACK);
        fields.set(
                ValueLayout.JAVA_LONG_UNALIGNED, RecordHeaderLayout.SEQUENCE_OFFSET, callbacks + 1);
        fields.set(ValueLayout.JAVA_LONG_UNALIGNED, CallbackRecordLayout.TOKEN_OFFSET, token);
        try {
            if (!over && !memory.callbacks().offer(record)) {
                end("its program does not run its host functions");
            }
            callbacks++;
        } catch (MalformedRecord e) {
            expel("callback ring: " + e.getMessage());
        }
    }

    @SuppressWarnings("ByteBufferBackingArray") // it is all of an array
    private synchronized void print(ByteBuffer text) {
        if (!over) {
            memory.output().write(text.array());
        }
    }

    @Override
    public void ended(LinkEnd why, String text) {
        arrived.end();
        end(text);
    }

    // ---- its end

    private void close(Link to) {
        end("its program has ended");
        client.close();
        to.close();
        LockSupport.unpark(watch);
        for (int i = 0; i < contexts.length(); i++) {
            NearContext each = contexts.getAndSet(i, null);
            if (each != null) {
                each.close();
            }
        }
        synchronized (this) {
            over = true;
            memory.close();
        }
        log.say(Log.Level.DEBUG, "relay " + name, "is over: " + reason);
        atEnd.run();
    }
}
