package facet.node.server;

import facet.abi.*;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

/** Commands as a client might send them, right and wrong ones. */
final class RandomCommands {
    private static final long[] EDGES = {
        0,
        1,
        -1,
        8,
        255,
        256,
        4096,
        1 << 20,
        Integer.MAX_VALUE,
        1L << 32,
        1L << 47,
        Long.MIN_VALUE,
        Long.MAX_VALUE
    };
    private static final int PLACES = 64;
    private static final long MAPPED = 0x6500_0000_0000L;
    private static final long GRANULE = 2L << 20;

    private final Random random;
    private final int wrongOf;
    private final BitSet streams = new BitSet();
    private final BitSet events = new BitSet();
    private final BitSet taken = new BitSet();
    private final BitSet modules = new BitSet();
    private final BitSet graphs = new BitSet();
    private final BitSet segments = new BitSet();
    private int steps;

    /**
     * @param wrongOf one of so many numbers is wrong
     */
    RandomCommands(Random random, int wrongOf) {
        this.random = random;
        this.wrongOf = wrongOf;
        streams.set(0);
        modules.set(0);
        events.set(0);
        // The first two places are memory that the test took.
        taken.set(0, 2);
    }

    private boolean wrong() {
        return random.nextInt(wrongOf) == 0;
    }

    private long edge() {
        return EDGES[random.nextInt(EDGES.length)];
    }

    private int living(BitSet set) {
        if (wrong() || set.isEmpty()) {
            return (int) edge();
        }
        int[] all = set.stream().toArray();
        return all[random.nextInt(all.length)];
    }

    private int stream() {
        return living(streams);
    }

    private int fresh(BitSet set) {
        if (wrong() || set.cardinality() > 60) {
            return living(set);
        }
        int id = set.nextClearBit(random.nextInt(64));
        set.set(id);
        return id;
    }

    private int gone(BitSet set) {
        int id = living(set);
        if (id > 0 && id < 1000) {
            set.clear(id);
        }
        return id;
    }

    private static long place(int number) {
        return TestClient.BASE + number * 4096L;
    }

    private long address() {
        if (random.nextInt(50) == 0) {
            return MAPPED + random.nextInt(1 << 20) * 4L;
        }
        return wrong() ? edge() : place(random.nextInt(PLACES)) + random.nextInt(64) * 4L;
    }

    private long size() {
        return wrong() ? edge() : 4L * (1 + random.nextInt(1000));
    }

    private Command allocate() {
        int number = taken.nextClearBit(random.nextInt(PLACES));
        taken.set(number);
        return new Allocate(
                wrong() ? edge() : place(number),
                wrong() ? edge() : 4096,
                wrong() ? 9 : random.nextInt(4));
    }

    private Command free() {
        int number = taken.length() <= 2 ? 1000 : taken.nextSetBit(2);
        if (number < 0 || number == 1000) {
            return allocate();
        }
        taken.clear(number);
        long address = wrong() ? edge() : place(number);
        return random.nextBoolean() ? new Free(address) : new FreeAsync(address, stream());
    }

    /** Of places that are free, if it is not wrong: also of some that were never taken. */
    private Command returnPages() {
        int number = taken.nextClearBit(random.nextInt(PLACES));
        return new ReturnPages(
                wrong() ? edge() : place(number), wrong() ? edge() : 4096, wrong() ? edge() : 4096);
    }

    private Command launch() {
        byte[] arguments = new byte[wrong() ? random.nextInt(40) : 16];
        if (arguments.length == 16) {
            ByteBuffer.wrap(arguments)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(address())
                    .putInt(random.nextInt(1000))
                    .putInt(1);
        }
        Launch launch =
                new Launch(
                        stream(),
                        living(modules),
                        wrong() ? 3 : 0,
                        wrong() ? (int) edge() : 1 + random.nextInt(4),
                        wrong() ? (int) edge() : 1,
                        1,
                        wrong() ? (int) edge() : 256,
                        1,
                        1,
                        wrong() ? (int) edge() : 0,
                        random.nextInt(2),
                        arguments);
        return random.nextInt(4) == 0 ? inClusters(launch) : launch;
    }

    private Command inClusters(Launch launch) {
        return new LaunchClusters(
                launch.stream(),
                launch.module(),
                launch.function(),
                launch.gridX(),
                launch.gridY(),
                launch.gridZ(),
                launch.blockX(),
                launch.blockY(),
                launch.blockZ(),
                launch.shared(),
                launch.flags(),
                wrong() ? (int) edge() : launch.gridX(),
                wrong() ? (int) edge() : 1,
                wrong() ? (int) edge() : 1,
                launch.arguments());
    }

    private long mapped() {
        return wrong() ? edge() : MAPPED + random.nextInt(4) * GRANULE;
    }

    private long granules() {
        return wrong() ? edge() : GRANULE * (1 + random.nextInt(2));
    }

    /** What is mapped elsewhere, and what others may open. */
    private Command segment() {
        return switch (random.nextInt(12)) {
            case 0, 1 -> new SegmentCreate(granules(), fresh(segments), wrong() ? (int) edge() : 0);
            case 2 ->
                    random.nextBoolean()
                            ? new SegmentShare(0, living(segments))
                            : new SegmentShare(address(), fresh(segments));
            case 3 -> new SegmentOpen(edge(), edge(), fresh(segments), random.nextInt(2));
            case 4 -> new SegmentRelease(gone(segments), random.nextInt(2));
            case 5, 6, 7 ->
                    new SegmentMap(mapped(), wrong() ? edge() : 0, granules(), living(segments));
            case 8, 9 ->
                    new SegmentAccess(
                            mapped(),
                            granules(),
                            wrong() ? (int) edge() : 0,
                            wrong() ? (int) edge() : random.nextInt(4));
            case 10 -> new SegmentUnmap(mapped(), granules());
            default ->
                    random.nextBoolean()
                            ? new EventShare(0, 0, living(events), 0)
                            : new EventShare(edge(), edge(), fresh(events), 1);
        };
    }

    private int peer() {
        return random.nextInt(3);
    }

    /** Makes, fills, launches or destroys one; of what is in it some is wrong too. */
    private Command graph() {
        if (graphs.isEmpty() || random.nextInt(20) == 0) {
            return new GraphCreate(fresh(graphs));
        }
        int graph = living(graphs);
        int lane = wrong() ? (int) edge() : random.nextInt(4);
        int waits = wrong() ? (int) edge() : random.nextInt(16);
        return switch (random.nextInt(8)) {
            case 0 -> new GraphDestroy(gone(graphs));
            case 1 ->
                    // Never one that goes on for ever: the test waits for it.
                    new GraphCondition(
                            address(),
                            graph,
                            0,
                            step(),
                            lane,
                            waits,
                            2,
                            1,
                            9,
                            new byte[] {1, 0, 0, 0});
            case 2, 3, 4 -> new GraphLaunch(graph, stream());
            default ->
                    new GraphStep(
                            graph,
                            wrong() ? (int) edge() : random.nextInt(2),
                            step(),
                            lane,
                            waits,
                            (random.nextBoolean()
                                            ? launch()
                                            : new Copy(address(), address(), size(), 0))
                                    .encode(0, 0, 0));
        };
    }

    /** Mostly the first: there is no other way to be sure that it is one. */
    private int step() {
        return wrong() ? ++steps : 0;
    }

    /** One of all there are. */
    Command next() {
        return switch (random.nextInt(46)) {
            case 0 -> random.nextInt(20) == 0 ? new ContextDestroy() : new ContextSynchronize();
            case 1 -> new ContextLimit(random.nextInt(9), size());
            case 2, 3 -> allocate();
            case 4, 5 -> free();
            case 6 -> new Claim(size());
            case 7, 8 -> new Copy(address(), address(), size(), stream());
            case 9, 10 ->
                    new CopyBox(
                            address(),
                            64 + size(),
                            8 * size(),
                            address(),
                            64 + size(),
                            8 * size(),
                            1 + random.nextInt(64),
                            random.nextInt(9),
                            random.nextInt(3),
                            stream());
            case 32 -> returnPages();
            case 33 -> new Touch();
            case 34 -> new PeerAccess(wrong() ? (int) edge() : peer(), random.nextInt(2));
            case 35 ->
                    new CopyPeer(address(), address(), size(), stream(), peer(), random.nextInt(2));
            case 36 ->
                    new CopyPeerBox(
                            address(),
                            size(),
                            size(),
                            address(),
                            size(),
                            size(),
                            size(),
                            wrong() ? edge() : random.nextInt(5),
                            wrong() ? edge() : random.nextInt(3),
                            stream(),
                            peer(),
                            random.nextInt(2));
            case 37, 38, 39, 40 -> graph();
            case 41 ->
                    new Prefetch(
                            address(),
                            size(),
                            stream(),
                            wrong() ? (int) edge() : peer(),
                            random.nextInt(2));
            case 43, 44, 45 -> segment();
            case 42 -> new Advise(address(), size(), random.nextInt(2));
            case 11 -> new Write(address(), stream(), new byte[random.nextInt(2000)]);
            case 12, 13 ->
                    new Fill(
                            address(),
                            size(),
                            random.nextInt(50),
                            random.nextInt(9),
                            7,
                            wrong() ? 3 : 1 << random.nextInt(3),
                            stream());
            case 14 ->
                    new ModuleLoad(
                            address(), size(), address(), size(), fresh(new BitSet()) + 100, 0);
            case 15 -> wrong() ? new ModuleUnload(gone(modules)) : launch();
            case 16 -> new FunctionAttribute(living(modules), 0, random.nextInt(12), (int) size());
            case 17, 18, 19, 20 -> launch();
            case 21 -> new StreamCreate(fresh(streams), random.nextInt(2), 0);
            case 22 -> {
                int id = living(streams);
                if (id <= 0 || id > 1000) {
                    yield new StreamQuery(stream());
                }
                streams.clear(id);
                yield new StreamDestroy(id);
            }
            case 23 -> new StreamSynchronize(stream());
            case 24 -> new StreamQuery(stream());
            case 25 -> new StreamWaitEvent(stream(), living(events));
            case 26 -> new EventCreate(fresh(events), random.nextInt(3));
            case 27 -> {
                int id = gone(events);
                if (id == 0) {
                    yield new EventRecord(0, stream());
                }
                yield new EventDestroy(id);
            }
            case 28 ->
                    random.nextInt(3) == 0
                            ? new EventRecord(living(events), stream())
                            : random.nextBoolean()
                                    ? new EventSynchronize(living(events))
                                    : new EventQuery(living(events));
            case 29 -> new EventElapsed(living(events), living(events));
            case 30 -> {
                int token = random.nextInt(3);
                yield random.nextInt(3) == 0
                        ? new HostFunction(token, stream())
                        : new HostFunctionDone(token);
            }
            default ->
                    random.nextInt(20) == 0
                            ? new ContextCreate(random.nextInt(3), 0, edge())
                            : new Unsupported(
                                    ("cuSomething" + random.nextInt(3) + "\n\u001b[2J")
                                            .getBytes(StandardCharsets.UTF_8));
        };
    }

    static boolean waits(Command command) {
        return WAITS.contains(command.getClass());
    }

    private static final List<Class<? extends Command>> WAITS =
            List.of(
                    ContextCreate.class,
                    ContextDestroy.class,
                    ContextSynchronize.class,
                    ContextLimit.class,
                    Claim.class,
                    Touch.class,
                    ModuleLoad.class,
                    FunctionAttribute.class,
                    StreamSynchronize.class,
                    StreamQuery.class,
                    EventSynchronize.class,
                    EventQuery.class,
                    EventElapsed.class,
                    EventShare.class,
                    SegmentCreate.class,
                    SegmentShare.class,
                    SegmentOpen.class,
                    SegmentRelease.class,
                    SegmentMap.class,
                    SegmentAccess.class,
                    SegmentUnmap.class);
}
