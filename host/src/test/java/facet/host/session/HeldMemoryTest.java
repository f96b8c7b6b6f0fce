package facet.host.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Allocate;
import facet.abi.Claim;
import facet.abi.Constants;
import facet.abi.ContextCreate;
import facet.abi.ContextSynchronize;
import facet.abi.EventCreate;
import facet.abi.EventQuery;
import facet.abi.EventRecord;
import facet.abi.Fill;
import facet.abi.FreeAsync;
import facet.abi.Launch;
import facet.abi.Read;
import facet.abi.Result;
import facet.abi.StreamSynchronize;
import facet.abi.Touch;
import facet.device.cpu.CpuDevices;
import facet.host.residency.Residency;
import facet.ring.Reply;
import facet.sched.Eviction;
import facet.testkit.far.FarDevices;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** While memory comes back, or room is waited for, a session does everything else. */
@Timeout(300)
class HeldMemoryTest {
    private static final long MIB = 1 << 20;
    private static final long DEVICE = 64 * MIB;
    private static final long LARGE = 40 * MIB;
    private static final long SMALL = 8 * MIB;

    private static final String ADD =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry add(.param .u64 cell, .param .u32 value)
            {
                .reg .b32 %r<2>; .reg .b64 %rd<2>;
                ld.param.u64 %rd0, [cell];
                ld.param.u32 %r0, [value];
                ld.global.u32 %r1, [%rd0];
                add.s32 %r1, %r1, %r0;
                st.global.u32 [%rd0], %r1;
                ret;
            }
            .visible .entry deep(.param .u64 cell, .param .u32 value)
            {
                .local .align 4 .b8 frame[65536];
                .reg .pred %p<1>; .reg .b32 %r<4>; .reg .b64 %rd<4>;
                ld.param.u64 %rd0, [cell];
                ld.param.u32 %r0, [value];
                mov.u64 %rd1, frame;
                st.local.u32 [%rd1], %r0;
                ld.local.u32 %r1, [%rd1];
                mov.u32 %r2, %tid.x;
                setp.ne.u32 %p0, %r2, 0;
                @%p0 bra DONE;
                ld.global.u32 %r3, [%rd0];
                add.s32 %r3, %r3, %r1;
                st.global.u32 [%rd0], %r3;
            DONE:
                ret;
            }
            """;

    /** A session with 40 and 8 MiB on a device of 64, and who takes the room of the 40. */
    private static final class Scene implements AutoCloseable {
        private final CpuDevices kind = new CpuDevices();
        private final GatedDevice near =
                new GatedDevice(kind.create(kind.profile("test", DEVICE, 2), 2));
        private final Residency residency = new Residency("test", DEVICE, new Eviction(0, 0, 0));
        private final Neighbour neighbour = new Neighbour(near, residency, DEVICE);
        private final SessionClient client;
        private final long large;
        private final long small;

        Scene(boolean far) throws Exception {
            client = new SessionClient(far ? FarDevices.of(near) : near, residency);
            client.streams(1, 2, 3);
            client.load(0, ADD);
            large = client.allocate(0, LARGE);
            small = client.allocate(LARGE, SMALL);
            client.write(1, large, 7);
            client.write(2, small, 70);
            // Compiled, and the small one is used last.
            client.launch(1, 0, large + 4, 1);
            assertEquals(Result.SUCCESS, client.call(new ContextSynchronize()).result());
            client.write(2, small, 71);
            assertEquals(Result.SUCCESS, client.synchronize(2));
        }

        /** The large one leaves, and its room is taken. */
        void crowd() throws Exception {
            neighbour.take(50 * MIB);
            assertTrue(neighbour.arrives().get());
            assertEquals(LARGE, residency.figures().movedOut());
            assertEquals(SMALL, client.host.memoryResident());
        }

        @Override
        public void close() {
            client.close();
            neighbour.close();
            assertEquals(0, residency.figures().resident());
            assertEquals(0, residency.figures().movedOut());
            residency.close();
            near.close();
            assertFalse(client.log().contains(" error "), client.log());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoseMemoryIsThereGoesOn(boolean far) throws Exception {
        try (Scene scene = new Scene(far)) {
            SessionClient client = scene.client;
            scene.crowd();
            client.post(new EventCreate(5, 0));
            client.launch(1, 0, scene.large, 3);
            client.post(new EventRecord(5, 1));
            client.copy(1, scene.small + 4, scene.large);
            client.write(2, scene.small, 80);
            client.copy(2, scene.small + 8, scene.small);
            assertEquals(80, client.read(2, scene.small + 8));
            assertEquals(Result.SUCCESS, client.synchronize(2));
            assertEquals(Result.ERROR_NOT_READY, client.query(1));
            assertEquals(Result.ERROR_NOT_READY, client.call(new EventQuery(5)).result());
            CompletableFuture<Reply> waits = client.callLater(new StreamSynchronize(1));
            scene.neighbour.give();
            assertEquals(Result.SUCCESS, waits.get().result());
            assertEquals(10, client.read(1, scene.small + 4));
            assertEquals(10, client.read(2, scene.large));
            assertEquals(1, client.read(2, scene.large + 4));
            assertEquals(Result.SUCCESS, client.call(new EventQuery(5)).result());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsAndTouchesAreAnsweredWhenItIsBack(boolean far) throws Exception {
        try (Scene scene = new Scene(far)) {
            SessionClient client = scene.client;
            scene.crowd();
            long place = SessionClient.BASE + (196L << 20);
            CompletableFuture<Reply> read = client.callLater(new Read(place, scene.large, 4, 3));
            CompletableFuture<Reply> touch = client.callLater(new Touch());
            assertEquals(71, client.read(2, scene.small));
            assertFalse(read.isDone());
            assertFalse(touch.isDone());
            scene.neighbour.give();
            assertEquals(Result.SUCCESS, read.get().result());
            assertEquals(Result.SUCCESS, touch.get().result());
            client.copy(2, scene.small, place);
            assertEquals(7, client.read(2, scene.small));
        }
    }

    /** What was freed in the order of a stream is there for what came before. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsFreedBehindACopyThatWaitsComesBackForIt(boolean far) throws Exception {
        try (Scene scene = new Scene(far)) {
            SessionClient client = scene.client;
            scene.crowd();
            client.copy(1, scene.small + 12, scene.large);
            client.post(new FreeAsync(scene.large, 1));
            assertEquals(71, client.read(2, scene.small));
            scene.neighbour.give();
            assertEquals(Result.SUCCESS, client.synchronize(1));
            assertEquals(7, client.read(1, scene.small + 12));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSessionEndsWhileItsMemoryIsOut(boolean far) throws Exception {
        try (Scene scene = new Scene(far)) {
            SessionClient client = scene.client;
            scene.crowd();
            for (int i = 0; i < 1000; i++) {
                client.launch(1 + i % 3, 0, scene.large, 3);
            }
            CompletableFuture<Reply> _ = client.callLater(new Touch());
            assertEquals(Result.ERROR_NOT_READY, client.query(1));
            client.end();
            assertEquals(0, client.book.held(0));
            assertEquals(50 * MIB, scene.residency.figures().resident());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void manyStreamsComeBackTogether(boolean far) throws Exception {
        try (Scene scene = new Scene(far)) {
            SessionClient client = scene.client;
            scene.crowd();
            for (int i = 10; i < 60; i++) {
                client.streams(i);
                for (int k = 0; k < 20; k++) {
                    client.launch(i, 0, scene.large + 4L * i, 1);
                    client.copy(i, scene.small + 4L * i, scene.large + 4L * i);
                }
            }
            assertEquals(71, client.read(2, scene.small));
            scene.neighbour.give();
            assertEquals(Result.SUCCESS, client.call(new ContextSynchronize()).result());
            for (int i = 10; i < 60; i++) {
                assertEquals(20, client.read(2, scene.small + 4L * i));
            }
        }
    }

    /** The thread that moves has the gate of the context, and is in the middle of a copy. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whileBytesAreOnTheirWayCommandsAreExecuted(boolean far) throws Exception {
        try (Scene scene = new Scene(far)) {
            SessionClient client = scene.client;
            Gate gate = scene.near.beforeReturn();
            scene.crowd();
            client.launch(1, 0, scene.large, 3);
            assertEquals(Result.ERROR_NOT_READY, client.query(1));
            scene.neighbour.give();
            gate.awaitArrival();
            // What needs the gate is held back, written down later, or answered.
            client.write(2, scene.small, 80);
            assertEquals(Result.ERROR_NOT_READY, client.query(2));
            long more = client.allocate(LARGE + SMALL, MIB);
            client.free(more);
            more = client.allocate(LARGE + SMALL, 2 * MIB);
            client.write(2, more, 90);
            client.launch(3, 0, more, 1);
            // Another context has a gate of its own.
            long elsewhere = SessionClient.BASE + (1L << 40);
            assertEquals(
                    Result.SUCCESS,
                    client.callIn(1, new ContextCreate(0, 0, elsewhere - SessionClient.OWN))
                            .result());
            client.postIn(1, new Allocate(elsewhere, MIB, Constants.MEMORY_STAGING));
            client.postIn(1, new Fill(elsewhere, 64, 64, 1, 7, 1, 0));
            assertEquals(Result.SUCCESS, client.callIn(1, new StreamSynchronize(0)).result());
            gate.open();
            assertEquals(Result.SUCCESS, client.call(new ContextSynchronize()).result());
            assertEquals(10, client.read(1, scene.large));
            assertEquals(80, client.read(1, scene.small));
            assertTrue(client.read(1, more) >= 90, "the write, and the launch beside it");
            assertEquals(LARGE + SMALL + 2 * MIB, client.host.memoryResident());
        }
    }

    /** Another session of the slice has all its memory, and is about to leave. */
    @Test
    void aLaunchWaitsForRoomOfItsBlocks() throws Exception {
        try (Scene scene = new Scene(false)) {
            SessionClient client = scene.client;
            client.book.join(1, () -> true, () -> true, why -> {});
            assertTrue(client.book.takeNow(1, SessionClient.LIMIT - LARGE - SMALL));
            byte[] arguments = SessionClient.pack(scene.small + 4, 5);
            client.post(new Launch(1, 0, 1, 4, 1, 1, 128, 1, 1, 0, 0, arguments));
            CompletableFuture<Reply> claim = client.callLater(new Claim(2 * MIB));
            client.launch(2, 0, scene.small, 1);
            assertEquals(72, client.read(2, scene.small));
            assertEquals(Result.ERROR_NOT_READY, client.query(1));
            assertFalse(claim.isDone());
            client.book.leave(1);
            assertEquals(Result.SUCCESS, client.synchronize(1));
            assertEquals(20, client.read(1, scene.small + 4));
            assertEquals(Result.SUCCESS, claim.get().result());
        }
    }

    @Test
    void aLaunchForWhichThereIsNoRoomIsRefused() throws Exception {
        try (Scene scene = new Scene(false)) {
            SessionClient client = scene.client;
            client.book.join(1, () -> true, () -> false, why -> {});
            assertTrue(client.book.takeNow(1, SessionClient.LIMIT - LARGE - SMALL));
            byte[] arguments = SessionClient.pack(scene.small + 4, 5);
            client.post(new Launch(1, 0, 1, 4, 1, 1, 128, 1, 1, 0, 0, arguments));
            client.launch(1, 0, scene.small, 1);
            assertEquals(Result.ERROR_OUT_OF_MEMORY, client.synchronize(1));
            assertEquals(72, client.read(1, scene.small));
            client.book.leave(1);
        }
    }
}
