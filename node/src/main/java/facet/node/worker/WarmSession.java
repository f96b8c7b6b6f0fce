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
import facet.device.DeviceProfile;
import facet.device.cpu.CpuDevice;
import facet.node.log.Log;
import facet.node.session.Quarters;
import facet.node.session.SessionHost;
import facet.node.session.SessionOptions;
import facet.node.slice.Ledger;
import facet.node.slice.LedgerMemory;
import facet.node.slice.Tally;
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

    private static final String PTX =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry warm(.param .u64 cells, .param .u32 n)
            {
                .reg .pred %p<2>; .reg .b32 %r<7>; .reg .f32 %f<3>; .reg .b64 %rd<3>;
                .shared .align 4 .b8 tile[256];
                ld.param.u64 %rd0, [cells];
                ld.param.u32 %r0, [n];
                mov.u32 %r1, %tid.x;
                mov.u32 %r2, %ctaid.x;
                mov.u32 %r3, %ntid.x;
                mad.lo.s32 %r4, %r2, %r3, %r1;
                mul.wide.s32 %rd1, %r4, 4;
                cvta.to.global.u64 %rd0, %rd0;
                add.s64 %rd2, %rd0, %rd1;
                mov.u32 %r5, 0;
            LOOP:
                ld.global.f32 %f0, [%rd2];
                cvt.rn.f32.s32 %f1, %r4;
                fma.rn.f32 %f2, %f0, %f1, 0f3F800000;
                st.global.f32 [%rd2], %f2;
                add.s32 %r5, %r5, 1;
                setp.lt.s32 %p0, %r5, %r0;
                @%p0 bra LOOP;
                mov.u32 %r6, tile;
                st.shared.f32 [%r6], %f2;
                bar.sync 0;
                ld.shared.f32 %f0, [%r6];
                atom.global.add.f32 %f1, [%rd2], %f0;
                ret;
            }
            """;

    private final CpuDevice device;
    private final LedgerMemory ledger;
    private final SessionHost host;
    private final Connection connection;
    private final ClientSide side;

    private WarmSession(Log log) throws IOException, MalformedRecord {
        device = CpuDevice.create(DeviceProfile.standard("warm-up", MEMORY, 1), 1);
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
                        Quarters.unbounded(1),
                        log,
                        () -> {});
    }

    /** Runs one from its beginning to its end. */
    static void run(Log log) throws IOException {
        try (WarmSession session = new WarmSession(log)) {
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
        byte[] image = PTX.getBytes(StandardCharsets.UTF_8);
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
