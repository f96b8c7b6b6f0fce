package facet.node.worker;

import facet.abi.Allocate;
import facet.abi.Command;
import facet.abi.Constants;
import facet.abi.ContextCreate;
import facet.abi.ContextDestroy;
import facet.abi.Fill;
import facet.abi.Launch;
import facet.abi.LedgerHeaderLayout;
import facet.abi.ModuleLoad;
import facet.abi.Result;
import facet.abi.StreamSynchronize;
import facet.device.Device;
import facet.device.DeviceFactory;
import facet.host.ledger.Ledger;
import facet.host.ledger.LedgerMemory;
import facet.host.ledger.Tally;
import facet.host.session.SessionHost;
import facet.host.session.SessionOptions;
import facet.host.session.SessionResidency;
import facet.log.Log;
import facet.os.Connection;
import facet.os.Descriptors;
import facet.os.Message;
import facet.os.SharedMemoryUnsafe;
import facet.os.SocketKind;
import facet.ring.ClientSide;
import facet.ring.DeviceSnapshot;
import facet.ring.MalformedRecord;
import facet.ring.Reply;
import facet.ring.SessionMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * A session of nobody in a worker that waits for its slice: what programs do first is loaded and
 * has run when they come.
 */
final class WarmSession implements AutoCloseable {
    private static final long MEMORY = 16 << 20;
    private static final int THREADS = 64;
    private static final int CELLS = 4096;
    private static final int IMAGE = 64 << 10;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Of the context; what the client has begins behind what the device has for itself. */
    private static final long BASE = 0x7000_0000_0000L;

    private final DeviceFactory kind;
    private final Device device;
    private final LedgerMemory ledger;
    private final SessionHost host;
    private final Connection connection;
    private final ClientSide side;

    private WarmSession(DeviceFactory kind, Log log) throws IOException, MalformedRecord {
        this.kind = kind;
        device = kind.create(kind.profile(kind.usualCapability(), "warm-up", MEMORY, 1), 1);
        ledger = LedgerMemory.create("warm-up", MEMORY, 1);
        SessionMemory memory =
                SessionMemory.create(
                        "warm-up",
                        List.of(new DeviceSnapshot("warm-up", new byte[16], MEMORY, new int[0])));
        Connection.Pair pair = Connection.pair(SocketKind.PACKETS);
        connection = pair.first();
        side = ClientSide.attach(Descriptors.duplicate(memory.descriptor()));
        host =
                new SessionHost(
                        new SessionOptions(0, "warm-up", "warm-up", 0, 0, MEMORY),
                        memory,
                        pair.second(),
                        Ledger.ofAll(ledger),
                        new Tally(),
                        List.of(device),
                        SessionResidency.unbounded(1),
                        log,
                        () -> {});
    }

    /** Runs one from its beginning to its end. */
    static void run(DeviceFactory kind, Log log) throws IOException {
        try (WarmSession session = new WarmSession(kind, log)) {
            session.host.start();
            session.compute();
            session.host.end("it is warm");
            session.host.join();
        } catch (MalformedRecord | TimeoutException e) {
            throw new IOException("a worker does not get warm: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted before it was warm", e);
        }
    }

    private void compute() throws IOException, MalformedRecord, TimeoutException {
        Reply context = call(new ContextCreate(0, 0, BASE));
        long cells = BASE + context.payload()[0];
        Message message =
                connection.receive(64).orElseThrow(() -> new IOException("no context memory came"));
        try (SharedMemoryUnsafe memory = SharedMemoryUnsafe.attach(message.descriptors()[0])) {
            claim(CELLS);
            post(new Allocate(cells, CELLS, Constants.MEMORY_DEVICE));
            load(memory.segment(), cells + MEMORY);
            post(new Fill(cells, CELLS, CELLS / Float.BYTES, 1, 0, Float.BYTES, 0));
            byte[] arguments =
                    ByteBuffer.allocate(12)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(cells)
                            .putInt(THREADS)
                            .array();
            post(
                    new Launch(
                            0,
                            0,
                            0,
                            CELLS / Float.BYTES / THREADS,
                            1,
                            1,
                            THREADS,
                            1,
                            1,
                            0,
                            0,
                            arguments));
            call(new StreamSynchronize(0));
            call(new ContextDestroy());
        }
    }

    private void load(MemorySegment memory, long address)
            throws IOException, MalformedRecord, TimeoutException {
        byte[] image = kind.warmUp().getBytes(StandardCharsets.UTF_8);
        post(new Allocate(address, 2L * IMAGE, Constants.MEMORY_STAGING));
        MemorySegment.copy(image, 0, memory, ValueLayout.JAVA_BYTE, address - BASE, image.length);
        call(new ModuleLoad(address, image.length, address + IMAGE, IMAGE, 0, 0));
    }

    /** Says in the ledger that so much was taken, as clients do. */
    private void claim(long bytes) throws IOException {
        try (SharedMemoryUnsafe page =
                SharedMemoryUnsafe.attach(Descriptors.duplicate(ledger.descriptor()))) {
            page.segment().set(ValueLayout.JAVA_LONG, LedgerHeaderLayout.BYTES, bytes);
        }
    }

    private void post(Command command) throws MalformedRecord, TimeoutException {
        side.post(0, command, PATIENCE);
    }

    private Reply call(Command command) throws IOException, MalformedRecord, TimeoutException {
        Reply reply = side.call(0, command, PATIENCE);
        if (reply.result() != Result.SUCCESS) {
            throw new IOException(
                    "a worker does not get warm: " + command + " ended with " + reply.result());
        }
        return reply;
    }

    @Override
    public void close() {
        connection.close();
        side.close();
        ledger.close();
        device.close();
    }
}
