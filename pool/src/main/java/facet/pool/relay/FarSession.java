package facet.pool.relay;

import facet.abi.Allocate;
import facet.abi.CallbackRecordLayout;
import facet.abi.Claim;
import facet.abi.Constants;
import facet.abi.ContextCreate;
import facet.abi.ContextDestroy;
import facet.abi.ContextSynchronize;
import facet.abi.CudaDispatcher;
import facet.abi.Envelope;
import facet.abi.EventElapsed;
import facet.abi.EventQuery;
import facet.abi.EventSynchronize;
import facet.abi.Free;
import facet.abi.FreeAsync;
import facet.abi.MalformedCommand;
import facet.abi.ModuleLoad;
import facet.abi.ModuleUnload;
import facet.abi.Read;
import facet.abi.RecordHeaderLayout;
import facet.abi.StreamQuery;
import facet.abi.StreamSynchronize;
import facet.log.Log;
import facet.os.ProcessThreads;
import facet.pool.content.ContentStore;
import facet.pool.link.LaneKind;
import facet.pool.link.Link;
import facet.pool.link.LinkEnd;
import facet.pool.link.LinkViolation;
import facet.pool.link.Receiver;
import facet.pool.piece.PieceReader;
import facet.pool.template.RecordDecoder;
import facet.ring.ContextStatus;
import facet.ring.MalformedRecord;
import facet.ring.Reply;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A session of a program on another node, as a client of a slice of this one. Commands are written
 * to the session's ring as they come; answers, how far contexts are, what kernels print and host
 * functions that are due are sent back without being asked for.
 */
public final class FarSession implements Receiver {
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final long TICK_NANOS = 1_000_000;
    private static final int REST = 10;
    private static final int REPLY_BYTES = 16 + 8 * facet.abi.ReplySlotLayout.PAYLOAD_COUNT;
    private static final int STATUS_BYTES = 48;

    private final Link link;
    private final Slices slices;
    private final ContentStore store;
    private final Log log;
    private final Arrived arrived = new Arrived();
    private final BulkLane bulk;
    private final RecordDecoder decoder =
            new RecordDecoder(
                    Messages.MOST_RECORD, (long) Messages.BATCH_BYTES + Messages.MOST_RECORD);
    private final Questions questions;
    private final AtomicReferenceArray<@Nullable FarContext> contexts =
            new AtomicReferenceArray<>(Constants.CONTEXTS);
    private final AtomicLong claimed = new AtomicLong();
    private final AtomicLong waiting = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();
    private final ExecutorService waiters;
    private final Object pushLock = new Object();
    private long versions;
    private volatile @Nullable PieceReader pieces;
    private volatile @Nullable SliceClient client;
    private volatile boolean watchRests;

    /** Something may have been written in memory that both share since that was last looked at. */
    private volatile boolean touched;

    private volatile @Nullable Thread watch;
    private volatile @Nullable Thread callBacks;
    private volatile @Nullable Thread ending;

    /** Which slices members may use. */
    public interface Slices {
        /**
         * The socket of a slice.
         *
         * @throws IOException says why that node gets none of that name
         */
        Path socket(String node, String slice) throws IOException;
    }

    /**
     * @param store what this node keeps of the data that programs send
     */
    public FarSession(Link link, Slices slices, ContentStore store, Log log) {
        this.link = link;
        this.slices = slices;
        this.store = store;
        this.log = log;
        this.bulk = new BulkLane(link, null);
        this.waiters =
                Executors.newCachedThreadPool(
                        ProcessThreads.named("facet-relay-" + link.peer().node()).factory());
        this.questions =
                new Questions(
                        link, waiters, e -> end("the way back to the program: " + e.getMessage()));
    }

    // ---- from the program

    @Override
    public void receive(LaneKind lane, ByteBuffer message) throws IOException {
        if (message.remaining() < Messages.PATCH_HEAD) {
            throw new LinkViolation("a message of " + message.remaining() + " bytes");
        }
        try {
            if (lane == LaneKind.BULK) {
                receiveBulk(message);
            } else if (message.remaining() < Messages.HEAD) {
                throw new LinkViolation("a message of " + message.remaining() + " bytes");
            } else if (message.get(0) == Messages.OPEN) {
                open(message);
            } else if (message.get(0) == Messages.BATCH) {
                batch(message);
            } else {
                throw new LinkViolation("a message of kind " + message.get(0));
            }
        } catch (IllegalStateException e) {
            if (!over.get()) {
                throw e;
            }
            // Its memory has just gone: it is over.
        }
    }

    private void open(ByteBuffer message) throws IOException {
        if (client != null) {
            throw new LinkViolation("a session that is open already");
        }
        int pid = message.getInt(4);
        if (message.remaining() < Messages.HEAD + 2 * Long.BYTES) {
            throw new LinkViolation("a session without a scope");
        }
        long high = message.getLong(Messages.HEAD);
        long low = message.getLong(Messages.HEAD + Long.BYTES);
        String[] names =
                StandardCharsets.UTF_8
                        .decode(message.position(Messages.HEAD + 2 * Long.BYTES))
                        .toString()
                        .split("\0", -1);
        if (names.length != 3) {
            throw new LinkViolation("a session without names");
        }
        String node = link.peer().node();
        pieces = new PieceReader(store.shelf(high, low, node + " " + names[0]));
        try {
            SliceClient made =
                    SliceClient.connect(slices.socket(node, names[0]), names[1] + "@" + node, pid);
            client = made;
            // No virtual thread: one that waits in the system keeps its carrier from others.
            ending = ProcessThreads.named("facet-relay-end").start(() -> end(made.awaitEnd()));
            callBacks = ProcessThreads.named("facet-relay-callbacks").start(() -> callBacks(made));
            watch = ProcessThreads.named("facet-relay-watch").start(() -> watch(made));
        } catch (IOException | MalformedRecord e) {
            log.say(Log.Level.INFO, "pool", node + " gets no session: " + e.getMessage());
            end(String.valueOf(e.getMessage()));
        }
    }

    private void receiveBulk(ByteBuffer message) throws IOException {
        int id = message.getInt(4);
        FarContext context = id < 0 || id >= contexts.length() ? null : contexts.get(id);
        SharedRanges memory = context == null ? null : context.memory();
        byte kind = message.get(0);
        if (kind == Messages.DATA || kind == Messages.AGAIN) {
            piece(kind, id, memory, message);
            return;
        }
        if (memory != null) { // else of a context that is gone
            shared(kind, memory, message);
        }
        arrived.one();
    }

    private void piece(byte kind, int id, @Nullable SharedRanges memory, ByteBuffer message)
            throws IOException {
        PieceReader reader = pieces;
        if (reader == null || message.remaining() < Messages.PIECE_HEAD) {
            throw new LinkViolation("bulk data without a place");
        }
        long offset = message.getLong(8);
        long number = message.getLong(16);
        int bytes = message.remaining();
        int length =
                memory == null
                        ? 0
                        : reader.read(
                                message.position(Messages.PIECE_HEAD),
                                data -> memory.write(offset, data));
        link.reduction().received(bytes, Messages.PIECE_HEAD + Math.abs(length));
        if (length < 0 && kind == Messages.DATA) {
            ask(id, offset, -length);
            return;
        }
        arrived.one();
        if (kind == Messages.AGAIN) {
            arrived.found(number);
        }
    }

    private void ask(int context, long offset, int length) throws LinkViolation {
        if (arrived.missed() >= Messages.MOST_MISSING) {
            throw new LinkViolation("it names data that it never sent");
        }
        questions.ask(context, arrived.missing(), offset, length);
    }

    private void shared(byte kind, SharedRanges memory, ByteBuffer message) throws LinkViolation {
        if (kind == Messages.PATCH) {
            memory.apply(message.position(Messages.PATCH_HEAD));
            return;
        }
        if (message.remaining() < Messages.HEAD) {
            throw new LinkViolation("bulk data without a place");
        }
        long offset = message.getLong(8);
        ByteBuffer rest = message.position(Messages.HEAD);
        switch (kind) {
            case Messages.UNSHARE -> memory.remove(offset);
            case Messages.SHARE -> {
                long bytes = rest.remaining() < Long.BYTES ? -1 : rest.getLong();
                long all = memory.segment().byteSize();
                if (offset < 0 || bytes < 0 || offset > all || bytes > all - offset) {
                    throw new LinkViolation("shared memory that is not there");
                }
                memory.add(offset, bytes, true);
            }
            default -> throw new LinkViolation("bulk data of kind " + kind);
        }
    }

    private void batch(ByteBuffer message) throws IOException {
        SliceClient to = client;
        try {
            if (to == null || !arrived.await(message.getLong(8))) {
                return; // it was refused, or is over
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        int bytes = message.remaining();
        long plain =
                decoder.decode(
                        message.position(Messages.HEAD),
                        (record, length) ->
                                record(MemorySegment.ofArray(record).asSlice(0, length), to));
        link.reduction().received(bytes, Messages.HEAD + plain);
    }

    private void record(MemorySegment record, SliceClient to) throws LinkViolation {
        try {
            forward(record, to);
        } catch (MalformedCommand | MalformedRecord e) {
            throw new LinkViolation(String.valueOf(e.getMessage()));
        }
    }

    private void forward(MemorySegment record, SliceClient to)
            throws MalformedCommand, MalformedRecord {
        int type = Envelope.type(record);
        int slot =
                Short.toUnsignedInt(
                                record.get(
                                        ValueLayout.JAVA_SHORT_UNALIGNED,
                                        RecordHeaderLayout.SLOT_OFFSET))
                        - 1;
        int id = record.get(ValueLayout.JAVA_INT_UNALIGNED, RecordHeaderLayout.CONTEXT_OFFSET);
        FarContext context = id < 0 || id >= contexts.length() ? null : contexts.get(id);
        if (type == ContextCreate.TYPE && context == null && id >= 0 && id < contexts.length()) {
            ContextCreate create = ContextCreate.decode(record);
            contexts.set(id, new FarContext(create.device(), create.base()));
        } else if (context != null) {
            count(type, record, context, to);
        }
        // What is wrong with a slot the session's host judges; nobody waits at one that is.
        boolean waits = slot >= 0 && slot < Constants.REPLY_SLOTS && expect(slot);
        while (!to.side().forward(record, waits ? slot : -1, LOOK)) {
            if (over.get()) {
                return;
            }
        }
        if (!isLook(type)) {
            touched = true;
        }
        if (waits) {
            link.reduction().waited();
            MemorySegment kept = MemorySegment.ofArray(record.toArray(ValueLayout.JAVA_BYTE));
            waiters.execute(() -> await(to, slot, type, id, kept));
        }
        if (CudaDispatcher.isCounted(type) && context != null) {
            context.posted();
            touched = true; // also when somebody has looked since it was passed on
            if (watchRests) {
                watchRests = false;
                LockSupport.unpark(watch);
            }
        }
    }

    /** Whether a command writes nothing, neither by itself nor by a kernel. */
    private static boolean isLook(int type) {
        return switch (type) {
            case ContextSynchronize.TYPE,
                    StreamSynchronize.TYPE,
                    StreamQuery.TYPE,
                    EventSynchronize.TYPE,
                    EventQuery.TYPE,
                    EventElapsed.TYPE ->
                    true;
            default -> false;
        };
    }

    private boolean expect(int slot) {
        long bit = 1L << slot;
        return (waiting.getAndUpdate(all -> all | bit) & bit) == 0;
    }

    /** Does what a client does besides sending a command. */
    private void count(int type, MemorySegment record, FarContext context, SliceClient to)
            throws MalformedCommand {
        switch (type) {
            case Allocate.TYPE -> {
                Allocate command = Allocate.decode(record);
                long bytes = context.allocate(command.address(), command.bytes(), command.kind());
                long paid = Math.min(bytes, claimed.get());
                claimed.addAndGet(-paid);
                to.claim(context.device(), bytes - paid);
            }
            case Free.TYPE ->
                    to.claim(context.device(), -context.free(Free.decode(record).address()));
            case FreeAsync.TYPE ->
                    to.claim(context.device(), -context.free(FreeAsync.decode(record).address()));
            case ModuleUnload.TYPE -> context.unloaded(ModuleUnload.decode(record).module());
            default -> {}
        }
    }

    // ---- back to the program

    private void await(SliceClient from, int slot, int type, int id, MemorySegment record) {
        try {
            Reply reply = from.side().await(slot, LOOK);
            while (reply == null && !over.get()) {
                reply = from.side().await(slot, LOOK);
            }
            if (reply != null) {
                answered(from, slot, type, id, record, reply);
            }
        } catch (IOException | MalformedCommand | IllegalStateException e) {
            end("the way back to the program: " + e.getMessage());
        }
    }

    private void answered(
            SliceClient from, int slot, int type, int id, MemorySegment record, Reply reply)
            throws IOException, MalformedCommand {
        FarContext context = contexts.get(id);
        long[] data = null;
        if (context != null) {
            switch (type) {
                case ContextCreate.TYPE -> {
                    if (reply.result() != 0 && context.memory() == null) {
                        contexts.set(id, null);
                    } else if (context.memory() == null) {
                        context.attach(from.takeMemory(id));
                    }
                }
                case ContextDestroy.TYPE -> {
                    if (reply.result() == 0) {
                        contexts.set(id, null);
                        from.claim(context.device(), -context.freeAll());
                        context.close();
                    }
                }
                case ModuleLoad.TYPE -> {
                    ModuleLoad load = ModuleLoad.decode(record);
                    long bytes = Math.min(reply.payload()[0], load.answerCapacity());
                    SharedRanges memory = context.memory();
                    if (memory != null && bytes > 0 && context.holds(load.answer(), bytes)) {
                        long offset = context.offset(load.answer());
                        data = new long[] {offset, bytes};
                        if (reply.result() == 0) {
                            context.loaded(load.module(), memory.segment().asSlice(offset, bytes));
                        }
                    }
                }
                case Read.TYPE -> {
                    Read read = Read.decode(record);
                    if (reply.result() == 0 && context.holds(read.destination(), read.bytes())) {
                        data = new long[] {context.offset(read.destination()), read.bytes()};
                    }
                }
                case Claim.TYPE -> {
                    if (reply.result() == 0) {
                        claimed.addAndGet(Claim.decode(record).bytes());
                    }
                }
                default -> {}
            }
        }
        if (!isLook(type)) {
            touched = true;
        }
        synchronized (pushLock) {
            boolean patched = settle(from);
            SharedRanges memory = context == null ? null : context.memory();
            if (data != null && memory != null) {
                bulk.data(id, memory.segment(), data[0], data[1]);
            }
            long needs = patched || data != null ? bulk.sent() : 0;
            ByteBuffer message =
                    Messages.start(Messages.REPLY, slot, needs, REPLY_BYTES)
                            .putLong(reply.sequence())
                            .putInt(reply.result())
                            .putInt(0);
            for (long each : reply.payload()) {
                message.putLong(each);
            }
            long bit = 1L << slot;
            waiting.updateAndGet(all -> all & ~bit);
            BulkLane.send(link, LaneKind.COMMANDS, message.position(0));
        }
    }

    /**
     * Tells what has changed: first what contexts say of themselves is read, then what they had
     * written before is told, then what was read. Says whether what follows must wait for that.
     */
    private boolean settle(SliceClient from) throws IOException {
        boolean shared = false;
        boolean looks = touched;
        touched = false;
        long[][] seen = new long[contexts.length()][];
        for (int i = 0; i < seen.length; i++) {
            FarContext each = contexts.get(i);
            if (each != null && each.memory() != null) {
                ContextStatus status = from.side().contextStatus(i);
                long retired = status.retired();
                seen[i] = new long[] {status.fault(), retired, status.used(), status.returned()};
                if (each.isBusy(retired)) {
                    touched = true; // it goes on writing
                    looks = true;
                }
            }
        }
        for (int i = 0; i < seen.length; i++) {
            FarContext each = contexts.get(i);
            SharedRanges memory = each == null ? null : each.memory();
            if (memory != null && !memory.isEmpty()) {
                shared = true;
                if (looks) {
                    memory.tell(i, bulk::send);
                }
            }
        }
        byte[] text = from.side().output().read();
        if (text.length > 0) {
            sendText(text);
        }
        long busy = from.busyNanos();
        for (int i = 0; i < seen.length; i++) {
            FarContext each = contexts.get(i);
            if (each != null && seen[i] != null) {
                status(i, each, seen[i], shared ? bulk.sent() : 0, busy);
            }
        }
        return shared;
    }

    private void sendText(byte[] text) throws IOException {
        for (int at = 0; at < text.length; at += Messages.PIECE) {
            int count = Math.min(Messages.PIECE, text.length - at);
            BulkLane.send(
                    link,
                    LaneKind.COMMANDS,
                    Messages.start(Messages.TEXT, 0, 0, count).put(text, at, count).position(0));
        }
    }

    private void status(int id, FarContext context, long[] seen, long needs, long busy)
            throws IOException {
        if (context.fault == (int) seen[0]
                && context.retired == seen[1]
                && context.used == seen[2]
                && context.returned == seen[3]
                && context.busy == busy) {
            return;
        }
        context.fault = (int) seen[0];
        context.retired = seen[1];
        context.used = seen[2];
        context.returned = seen[3];
        context.busy = busy;
        versions++;
        BulkLane.send(
                link,
                LaneKind.COMMANDS,
                Messages.start(Messages.STATUS, id, needs, STATUS_BYTES)
                        .putLong(versions)
                        .putInt(context.fault)
                        .putInt(0)
                        .putLong(context.retired)
                        .putLong(context.used)
                        .putLong(context.returned)
                        .putLong(busy)
                        .position(0));
    }

    /** While work is under way the program is told how far it is, some hundred times a second. */
    private void watch(SliceClient from) {
        long nap = TICK_NANOS;
        try {
            while (!over.get()) {
                if (!isBusy()) {
                    watchRests = true;
                    if (!isBusy() && !over.get()) { // after saying so: who comes now wakes it
                        LockSupport.park(this);
                    }
                    watchRests = false;
                    continue;
                }
                LockSupport.parkNanos(this, nap);
                long begin = System.nanoTime();
                synchronized (pushLock) {
                    settle(from);
                }
                nap = Math.max(TICK_NANOS, REST * (System.nanoTime() - begin));
            }
        } catch (IOException | IllegalStateException e) {
            end("the way back to the program: " + e.getMessage());
        }
    }

    private boolean isBusy() {
        for (int i = 0; i < contexts.length(); i++) {
            FarContext each = contexts.get(i);
            if (each != null && each.isBusy()) {
                return true;
            }
        }
        return false;
    }

    private void callBacks(SliceClient from) {
        try {
            for (MemorySegment due = from.side().callbacks().take();
                    due != null;
                    due = from.side().callbacks().take()) {
                long token =
                        due.get(ValueLayout.JAVA_LONG_UNALIGNED, CallbackRecordLayout.TOKEN_OFFSET);
                synchronized (pushLock) {
                    boolean shared = settle(from);
                    BulkLane.send(
                            link,
                            LaneKind.COMMANDS,
                            Messages.start(
                                            Messages.CALLBACK,
                                            0,
                                            shared ? bulk.sent() : 0,
                                            Long.BYTES)
                                    .putLong(token)
                                    .position(0));
                }
            }
        } catch (IOException | MalformedRecord | IllegalStateException e) {
            end("the way back to the program: " + e.getMessage());
        }
    }

    // ---- its end

    @Override
    public void ended(LinkEnd why, String text) {
        end(text);
    }

    private void end(String why) {
        if (over.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name("facet-relay-close").start(() -> close(why));
        }
    }

    private static void join(@Nullable Thread thread) throws InterruptedException {
        if (thread != null) {
            thread.join();
        }
    }

    private void close(String why) {
        log.say(Log.Level.DEBUG, "pool", "a session of " + link.peer().node() + " ends: " + why);
        arrived.end();
        SliceClient open = client;
        if (open != null) {
            open.hangUp();
        }
        LockSupport.unpark(watch);
        if (!link.isEnded()) {
            byte[] text = why.getBytes(StandardCharsets.UTF_8);
            try {
                BulkLane.send(
                        link,
                        LaneKind.COMMANDS,
                        Messages.start(Messages.END, 0, 0, text.length).put(text).position(0));
            } catch (IOException e) {
                log.say(Log.Level.DEBUG, "pool", "nobody hears it: " + e.getMessage());
            }
        }
        link.close();
        waiters.shutdown();
        try {
            boolean ended = waiters.awaitTermination(1, TimeUnit.MINUTES);
            join(watch);
            join(callBacks);
            join(ending);
            assert ended : "somebody still waits for an answer";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (pushLock) {
            for (int i = 0; i < contexts.length(); i++) {
                FarContext each = contexts.getAndSet(i, null);
                if (each != null) {
                    each.close();
                }
            }
        }
        if (open != null) {
            open.close();
        }
    }
}
