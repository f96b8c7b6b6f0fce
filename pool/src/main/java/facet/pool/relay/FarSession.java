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
import facet.pool.template.RecordDecoder;
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

    /** How often the program is told of memory that both share while kernels run, at most. */
    private static final long TICK_NANOS = 1_000_000;

    /** How often it is told how far its work is where it shares none: each time costs a core. */
    private static final long SLOW_TICK_NANOS = 20_000_000;

    private static final int REST = 10;
    private static final int REPLY_BYTES = 16 + 8 * facet.abi.ReplySlotLayout.PAYLOAD_COUNT;

    private final Link link;
    private final Slices slices;
    private final ContentStore store;
    private final Log log;
    private final Arrived arrived = new Arrived();
    private final BulkLane bulk;
    private final RecordDecoder decoder =
            new RecordDecoder(
                    Messages.MOST_RECORD, (long) Messages.BATCH_BYTES + Messages.MOST_RECORD);
    private final AtomicReferenceArray<@Nullable FarContext> contexts =
            new AtomicReferenceArray<>(Constants.CONTEXTS);
    private final AtomicLong claimed = new AtomicLong();
    private final AtomicLong waiting = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();
    private final ExecutorService waiters;
    private final FarProgress progress;
    private final FarData data;
    private volatile @Nullable SliceClient client;
    private volatile boolean watchRests;

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
        Questions questions =
                new Questions(
                        link, waiters, e -> end("the way back to the program: " + e.getMessage()));
        this.progress = new FarProgress(link, bulk, contexts);
        this.data =
                new FarData(link, arrived, questions, contexts, () -> LockSupport.unpark(watch));
    }

    /** Whose data the store keeps, in words. */
    public static String owner(String node, String slice) {
        return node + " " + slice;
    }

    // ---- from the program

    @Override
    public void receive(LaneKind lane, ByteBuffer message) throws IOException {
        if (message.remaining() < Messages.PATCH_HEAD) {
            throw new LinkViolation("a message of " + message.remaining() + " bytes");
        }
        try {
            if (lane == LaneKind.BULK) {
                data.receive(message);
            } else if (message.remaining() < Messages.HEAD) {
                throw new LinkViolation("a message of " + message.remaining() + " bytes");
            } else if (message.get(0) == Messages.OPEN) {
                open(message);
            } else if (message.get(0) == Messages.BATCH) {
                batch(message);
            } else if (message.get(0) == Messages.UNCLAIM) {
                unclaim(message);
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
        data.open(store.shelf(high, low, owner(node, names[0])));
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

    /** What it was given here its own node has no room for. */
    private void unclaim(ByteBuffer message) throws LinkViolation {
        int id = message.getInt(4);
        long bytes =
                message.remaining() < Messages.HEAD + Long.BYTES
                        ? -1
                        : message.getLong(Messages.HEAD);
        FarContext context = id < 0 || id >= contexts.length() ? null : contexts.get(id);
        SliceClient to = client;
        if (bytes < 0) {
            throw new LinkViolation("less than nothing is given back");
        }
        if (context != null && to != null) {
            long back = Math.min(bytes, claimed.get());
            claimed.addAndGet(-back);
            to.claim(context.device(), -back);
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
            progress.touch();
        }
        if (waits) {
            link.reduction().waited();
            MemorySegment kept = MemorySegment.ofArray(record.toArray(ValueLayout.JAVA_BYTE));
            waiters.execute(() -> await(to, slot, type, id, kept));
        }
        if (CudaDispatcher.isCounted(type) && context != null) {
            context.posted();
            progress.touch(); // also when somebody has looked since it was passed on
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
        long[] range = null;
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
                        range = new long[] {offset, bytes};
                        if (reply.result() == 0) {
                            context.loaded(load.module(), memory.segment().asSlice(offset, bytes));
                        }
                    }
                }
                case Read.TYPE -> {
                    Read read = Read.decode(record);
                    if (reply.result() == 0 && context.holds(read.destination(), read.bytes())) {
                        range = new long[] {context.offset(read.destination()), read.bytes()};
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
            progress.touch();
        }
        SharedRanges memory = context == null ? null : context.memory();
        long needs = 0;
        if (range != null && memory != null) {
            // Without the lock: other answers do not wait for it.
            bulk.data(id, memory.segment(), range[0], range[1]);
            needs = bulk.sent();
        }
        synchronized (progress) {
            if (progress.settle(from, true)) {
                needs = bulk.sent();
            }
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

    /** While work is under way the program is told how far it is. */
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
                boolean shared;
                synchronized (progress) {
                    shared = progress.settle(from, false);
                }
                nap =
                        shared
                                ? Math.max(TICK_NANOS, REST * (System.nanoTime() - begin))
                                : SLOW_TICK_NANOS;
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
                synchronized (progress) {
                    boolean shared = progress.settle(from, true);
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
        synchronized (progress) {
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
