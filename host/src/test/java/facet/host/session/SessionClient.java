package facet.host.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.abi.Allocate;
import facet.abi.Claim;
import facet.abi.Command;
import facet.abi.Constants;
import facet.abi.ContextCreate;
import facet.abi.Copy;
import facet.abi.Free;
import facet.abi.Launch;
import facet.abi.ModuleLoad;
import facet.abi.Read;
import facet.abi.Result;
import facet.abi.StreamCreate;
import facet.abi.StreamQuery;
import facet.abi.StreamSynchronize;
import facet.abi.Write;
import facet.device.Device;
import facet.host.ledger.Ledger;
import facet.host.ledger.LedgerMemory;
import facet.host.ledger.Tally;
import facet.host.residency.Residency;
import facet.log.Log;
import facet.os.Connection;
import facet.os.Descriptors;
import facet.os.SharedMemoryUnsafe;
import facet.os.SocketKind;
import facet.ring.ClientSide;
import facet.ring.DeviceSnapshot;
import facet.ring.Reply;
import facet.ring.SessionMemory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A session on a device, and its client, which touches device memory by commands alone. */
final class SessionClient implements AutoCloseable {
    static final long OWN = 4L << 30;
    static final long BASE = 0x7000_0000_0000L;
    static final long LIMIT = 64L << 20;

    /** Where images, answers and read data are; behind all that tests take. */
    private static final long STAGING = 192L << 20;

    private static final long READS = STAGING + (24L << 20);
    private static final long STAGING_BYTES = 32L << 20;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final AtomicInteger SESSIONS = new AtomicInteger();

    final int id = SESSIONS.incrementAndGet();
    final LedgerMemory ledger = LedgerMemory.create("test", LIMIT, 1);
    final Ledger book;
    final SessionHost host;
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final SessionMemory memory =
            SessionMemory.create(
                    "test", List.of(new DeviceSnapshot("test", new byte[16], LIMIT, new int[0])));
    private final Connection.Pair pair = Connection.pair(SocketKind.PACKETS);
    private final ClientSide side = ClientSide.attach(Descriptors.duplicate(memory.descriptor()));
    private SharedMemoryUnsafe context;
    private long staged = STAGING;
    private boolean closed;

    SessionClient(Device device, Residency residency) throws Exception {
        Log log = new Log(new PrintStream(lines, true, StandardCharsets.UTF_8), Log.Level.DEBUG);
        List<Ledger> ledgers = Ledger.ofAll(ledger);
        book = ledgers.getFirst();
        host =
                new SessionHost(
                        new SessionOptions(id, "test", "test", 1, 0, LIMIT),
                        memory,
                        pair.first(),
                        ledgers,
                        new Tally(),
                        List.of(device),
                        new SessionResidency(List.of(residency), () -> 0),
                        log,
                        () -> {});
        host.start();
        assertEquals(Result.SUCCESS, call(new ContextCreate(0, 0, BASE - OWN)).result());
        context =
                SharedMemoryUnsafe.attach(pair.second().receive(64).orElseThrow().descriptors()[0]);
        post(new Allocate(BASE + STAGING, STAGING_BYTES, Constants.MEMORY_STAGING));
    }

    String log() {
        return lines.toString(StandardCharsets.UTF_8);
    }

    Reply call(Command command) throws Exception {
        return side.call(0, command, PATIENCE);
    }

    /** In another of its contexts. */
    Reply callIn(int other, Command command) throws Exception {
        return side.call(other, command, PATIENCE);
    }

    void postIn(int other, Command command) throws Exception {
        side.post(other, command, PATIENCE);
    }

    CompletableFuture<Reply> callLater(Command command) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return call(command);
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                },
                task -> Thread.ofPlatform().daemon().start(task));
    }

    void post(Command command) throws Exception {
        side.post(0, command, PATIENCE);
    }

    long retired() {
        return side.contextStatus(0).retired();
    }

    void streams(int... numbers) throws Exception {
        for (int each : numbers) {
            post(new StreamCreate(each, Constants.STREAM_NON_BLOCKING, 0));
        }
    }

    long allocate(long offset, long bytes) throws Exception {
        assertEquals(Result.SUCCESS, call(new Claim(bytes)).result());
        post(new Allocate(BASE + offset, bytes, Constants.MEMORY_DEVICE));
        return BASE + offset;
    }

    void free(long address) throws Exception {
        post(new Free(address));
    }

    // ---- modules and launches

    ModuleLoad loading(int module, String ptx) {
        byte[] image = ptx.getBytes(StandardCharsets.UTF_8);
        long place = staged;
        long answer = place + (image.length + 255L) / 256 * 256;
        staged = answer + (1 << 20);
        MemorySegment.copy(
                image, 0, context.segment(), ValueLayout.JAVA_BYTE, OWN + place, image.length);
        return new ModuleLoad(BASE + place, image.length, BASE + answer, 1 << 20, module, 0);
    }

    void load(int module, String ptx) throws Exception {
        assertEquals(Result.SUCCESS, call(loading(module, ptx)).result());
    }

    void launch(int stream, int function, Object... arguments) throws Exception {
        post(new Launch(stream, 0, function, 1, 1, 1, 1, 1, 1, 0, 0, pack(arguments)));
    }

    static byte[] pack(Object... arguments) {
        ByteBuffer bytes = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
        for (Object each : arguments) {
            if (each instanceof Long value) {
                bytes.putLong(value);
            } else {
                bytes.putInt((Integer) each);
            }
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    int synchronize(int stream) throws Exception {
        return call(new StreamSynchronize(stream)).result();
    }

    int query(int stream) throws Exception {
        return call(new StreamQuery(stream)).result();
    }

    // ---- data

    void write(int stream, long address, int value) throws Exception {
        post(new Write(address, stream, pack(value)));
    }

    void copy(int stream, long destination, long source) throws Exception {
        post(new Copy(destination, source, 4, stream));
    }

    /** What is there when the stream comes to it. */
    int read(int stream, long address) throws Exception {
        assertEquals(Result.SUCCESS, call(new Read(BASE + READS, address, 4, stream)).result());
        return context.segment().get(ValueLayout.JAVA_INT, OWN + READS);
    }

    // ---- the end

    /** Threads that the session has beside its own. */
    long helpers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().startsWith("facet-session-" + id + "-"))
                .count();
    }

    /** The program is gone, and all that the session did for it. */
    void end() {
        pair.second().close();
        host.end("its program has ended");
        try {
            host.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while the session ends", e);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            end();
            side.close();
            context.close();
            ledger.close();
        }
    }
}
