package facet.host.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.ContextSynchronize;
import facet.abi.EventCreate;
import facet.abi.EventQuery;
import facet.abi.EventRecord;
import facet.abi.EventSynchronize;
import facet.abi.FreeAsync;
import facet.abi.Launch;
import facet.abi.ModuleUnload;
import facet.abi.Result;
import facet.abi.StreamCreate;
import facet.abi.StreamDestroy;
import facet.abi.StreamSynchronize;
import facet.abi.StreamWaitEvent;
import facet.device.Device;
import facet.device.DeviceError;
import facet.device.cpu.CpuDevices;
import facet.host.residency.Residency;
import facet.ring.Reply;
import facet.testkit.far.FarDevices;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** While a kernel is compiled, or a module loaded, a session does everything else. */
@Timeout(300)
class HeldWorkTest {
    private static final int SLOW = 0;
    private static final int QUICK = 1;
    private static final int WILD = 2;

    /** Above all that the client has at its beginning. */
    private static final long HIGHEST = 256L << 20;

    private static String kernel(String name) {
        return """
        .visible .entry %s(.param .u64 cell, .param .u32 value)
        {
            .reg .b32 %%r<2>; .reg .b64 %%rd<2>;
            ld.param.u64 %%rd0, [cell];
            ld.param.u32 %%r0, [value];
            ld.global.u32 %%r1, [%%rd0];
            add.s32 %%r1, %%r1, %%r0;
            st.global.u32 [%%rd0], %%r1;
            ret;
        }
        """
                .formatted(name);
    }

    private static String module(String... kernels) {
        StringBuilder text = new StringBuilder(".version 8.0\n.target sm_75\n.address_size 64\n");
        for (String each : kernels) {
            text.append(kernel(each));
        }
        return text.toString();
    }

    /** A device with two seats, a session on it, streams 1 to 3 and the kernels above. */
    private static final class Scene implements AutoCloseable {
        private final CpuDevices kind = new CpuDevices();
        private final GatedDevice device =
                new GatedDevice(kind.create(kind.profile("test", SessionClient.LIMIT, 2), 2));
        private final Residency residency = Residency.unbounded();
        private final Gate slow = device.beforeKernel("slow");
        private final SessionClient client;
        private final long cell;

        Scene(boolean far) throws Exception {
            Device seen = far ? FarDevices.of(device) : device;
            client = new SessionClient(seen, residency);
            client.streams(1, 2, 3);
            client.load(0, module("slow", "quick", "wild"));
            cell = client.allocate(0, 4096);
        }

        @Override
        public void close() {
            client.close();
            residency.close();
            device.close();
            assertFalse(client.log().contains(" error "), client.log());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aKernelThatIsBeingCompiledHoldsUpItsStreamAlone(boolean far) throws Exception {
        try (Scene scene = new Scene(far)) {
            SessionClient client = scene.client;
            long cell = scene.cell;
            client.write(1, cell, 5);
            client.launch(1, SLOW, cell, 3);
            client.copy(1, cell + 4, cell);
            client.launch(1, QUICK, cell, 100);
            scene.slow.awaitArrival();
            client.write(2, cell + 8, 20);
            client.launch(2, QUICK, cell + 8, 1);
            assertEquals(Result.SUCCESS, client.synchronize(2));
            assertEquals(21, client.read(2, cell + 8));
            assertEquals(Result.ERROR_NOT_READY, client.query(1));
            assertEquals(5, client.read(2, cell), "what is before it has run");
            CompletableFuture<Reply> all = client.callLater(new ContextSynchronize());
            assertFalse(all.isDone());
            scene.slow.open();
            assertEquals(Result.SUCCESS, all.get().result());
            assertEquals(8, client.read(1, cell + 4), "what is behind it came behind it");
            assertEquals(108, client.read(1, cell));
            assertEquals(6, client.retired());
            assertEquals(3, client.host.usage().launches());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anEventBehindItIsReachedBehindIt(boolean far) throws Exception {
        try (Scene scene = new Scene(far)) {
            SessionClient client = scene.client;
            long cell = scene.cell;
            client.post(new EventCreate(7, 0));
            client.write(1, cell, 5);
            client.launch(1, SLOW, cell, 3);
            client.post(new EventRecord(7, 1));
            client.post(new StreamWaitEvent(2, 7));
            client.copy(2, cell + 4, cell);
            scene.slow.awaitArrival();
            client.write(3, cell + 8, 1);
            assertEquals(1, client.read(3, cell + 8));
            assertEquals(Result.ERROR_NOT_READY, client.call(new EventQuery(7)).result());
            assertEquals(Result.ERROR_NOT_READY, client.query(2));
            CompletableFuture<Reply> reached = client.callLater(new EventSynchronize(7));
            scene.slow.open();
            assertEquals(Result.SUCCESS, reached.get().result());
            assertEquals(Result.SUCCESS, client.synchronize(2));
            assertEquals(8, client.read(3, cell + 4));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theLegacyStreamWaitsForItAndOthersForThat(boolean far) throws Exception {
        try (Scene scene = new Scene(far)) {
            SessionClient client = scene.client;
            long cell = scene.cell;
            client.post(new StreamCreate(8, 0, 0));
            client.post(new StreamCreate(9, 0, 0));
            client.write(8, cell, 5);
            client.launch(8, SLOW, cell, 3);
            client.copy(0, cell + 4, cell);
            client.copy(9, cell + 8, cell + 4);
            scene.slow.awaitArrival();
            client.launch(1, QUICK, cell + 12, 1);
            assertEquals(Result.SUCCESS, client.synchronize(1));
            assertEquals(Result.ERROR_NOT_READY, client.query(0));
            assertEquals(Result.ERROR_NOT_READY, client.query(9));
            scene.slow.open();
            assertEquals(Result.SUCCESS, client.synchronize(9));
            assertEquals(8, client.read(9, cell + 8));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aKernelThatIsRefusedIsReportedByTheWaitBehindIt(boolean far) throws Exception {
        try (Scene scene = new Scene(far)) {
            SessionClient client = scene.client;
            client.launch(1, SLOW, scene.cell, 3);
            client.launch(1, QUICK, scene.cell, 4);
            scene.slow.awaitArrival();
            CompletableFuture<Reply> waits = client.callLater(new StreamSynchronize(1));
            assertEquals(Result.SUCCESS, client.synchronize(2));
            scene.slow.refuse(DeviceError.UNSUPPORTED_PTX, "not this one");
            assertEquals(DeviceError.UNSUPPORTED_PTX.code(), waits.get().result());
            assertEquals(Result.SUCCESS, client.synchronize(1), "it is told once");
            assertEquals(4, client.read(1, scene.cell), "the launch behind it ran");
            assertTrue(client.log().contains("not this one"), client.log());
        }
    }

    @Test
    void aShapeThatCannotBeIsReportedToo() throws Exception {
        try (Scene scene = new Scene(false)) {
            SessionClient client = scene.client;
            byte[] arguments = SessionClient.pack(scene.cell, 1);
            client.post(new Launch(1, 0, SLOW, 1, 1, 1, 4096, 1, 1, 0, 0, arguments));
            scene.slow.open();
            assertEquals(Result.ERROR_INVALID_VALUE, client.synchronize(1));
            assertEquals(Result.SUCCESS, client.synchronize(1));
        }
    }

    /** What it may access is settled when it is sent, not when its kernel is there. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsFreedBehindItIsStillThereForIt(boolean far) throws Exception {
        try (Scene scene = new Scene(far)) {
            SessionClient client = scene.client;
            long last = client.allocate(HIGHEST, 4096);
            client.launch(1, SLOW, last, 3);
            client.copy(1, scene.cell, last);
            client.post(new FreeAsync(last, 1));
            scene.slow.awaitArrival();
            assertEquals(Result.SUCCESS, client.synchronize(2));
            scene.slow.open();
            assertEquals(Result.SUCCESS, client.synchronize(1));
            assertEquals(3, client.read(1, scene.cell));
        }
    }

    @Test
    void whatIsTakenBehindItIsOutOfItsReach() throws Exception {
        try (Scene scene = new Scene(false)) {
            SessionClient client = scene.client;
            client.launch(1, SLOW, SessionClient.BASE + HIGHEST, 3);
            client.allocate(HIGHEST, 4096);
            scene.slow.awaitArrival();
            assertEquals(Result.SUCCESS, client.synchronize(2));
            scene.slow.open();
            assertEquals(DeviceError.ILLEGAL_ADDRESS.code(), client.synchronize(1));
        }
    }

    @Test
    void aFaultEndsWhatIsHeldBack() throws Exception {
        try (Scene scene = new Scene(false)) {
            SessionClient client = scene.client;
            client.launch(2, WILD, scene.cell, 1);
            assertEquals(Result.SUCCESS, client.synchronize(2));
            client.launch(1, SLOW, scene.cell, 3);
            client.launch(1, QUICK, scene.cell, 3);
            scene.slow.awaitArrival();
            client.launch(2, WILD, 16L, 1);
            assertEquals(DeviceError.ILLEGAL_ADDRESS.code(), client.synchronize(2));
            assertEquals(DeviceError.ILLEGAL_ADDRESS.code(), client.synchronize(1));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void streamsAndModulesGoWhileAKernelIsCompiled(boolean far) throws Exception {
        try (Scene scene = new Scene(far)) {
            SessionClient client = scene.client;
            client.launch(1, SLOW, scene.cell, 3);
            client.post(new StreamDestroy(1));
            client.post(new ModuleUnload(0));
            scene.slow.awaitArrival();
            client.write(2, scene.cell + 4, 9);
            assertEquals(9, client.read(2, scene.cell + 4));
            client.streams(1);
            scene.slow.open();
            assertEquals(Result.SUCCESS, client.call(new ContextSynchronize()).result());
            assertEquals(3, client.read(1, scene.cell));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSessionEndsWhileAKernelIsCompiled(boolean far) throws Exception {
        try (Scene scene = new Scene(far)) {
            for (int i = 0; i < 1000; i++) {
                scene.client.launch(1 + i % 3, SLOW, scene.cell, 3);
            }
            scene.slow.awaitArrival();
            scene.client.end();
            assertEquals(0, scene.client.book.held(0));
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (scene.client.helpers() > 0 && System.nanoTime() < end) {
                Thread.sleep(1);
            }
            assertEquals(0, scene.client.helpers());
        }
    }

    @Test
    void aModuleThatIsBeingLoadedHoldsUpNobody() throws Exception {
        try (Scene scene = new Scene(false)) {
            SessionClient client = scene.client;
            String text = module("another");
            Gate gate = scene.device.beforeText(text);
            CompletableFuture<Reply> loads = client.callLater(client.loading(1, text));
            gate.awaitArrival();
            client.write(2, scene.cell, 9);
            assertEquals(9, client.read(2, scene.cell));
            client.post(new ModuleUnload(0));
            assertFalse(loads.isDone());
            gate.open();
            assertEquals(Result.SUCCESS, loads.get().result());
            client.post(
                    new Launch(1, 1, 0, 1, 1, 1, 1, 1, 1, 0, 0, SessionClient.pack(scene.cell, 1)));
            assertEquals(Result.SUCCESS, client.synchronize(1));
            assertEquals(10, client.read(1, scene.cell));
        }
    }

    @Test
    void aModuleThatCouldNotBeLoadedLeavesItsNumberFree() throws Exception {
        try (Scene scene = new Scene(false)) {
            SessionClient client = scene.client;
            for (int i = 0; i < 3; i++) {
                assertEquals(
                        Result.ERROR_INVALID_PTX,
                        client.call(client.loading(1, ".version 8.0\nnonsense")).result());
            }
            client.load(1, module("one"));
        }
    }

    /** No honest client names it before the answer. */
    @Test
    void whoNamesAModuleThatIsBeingLoadedIsEnded() throws Exception {
        try (Scene scene = new Scene(false)) {
            String text = module("another");
            Gate gate = scene.device.beforeText(text);
            CompletableFuture<Reply> _ = scene.client.callLater(scene.client.loading(1, text));
            gate.awaitArrival();
            scene.client.post(new ModuleUnload(1));
            scene.client.host.join();
            assertTrue(scene.client.log().contains("is still being loaded"), scene.client.log());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void thousandsOfFirstLaunchesTakeTwoThreads(boolean far) throws Exception {
        try (Scene scene = new Scene(far)) {
            SessionClient client = scene.client;
            int count = 2000;
            String[] names = new String[count];
            for (int i = 0; i < count; i++) {
                names[i] = "k" + i;
            }
            client.load(1, module(names));
            client.launch(3, SLOW, scene.cell, 1);
            scene.slow.awaitArrival();
            for (int i = 0; i < count; i++) {
                byte[] arguments = SessionClient.pack(scene.cell + 4 + 4L * (i % 2), 1);
                client.post(new Launch(1 + i % 2, 1, i, 1, 1, 1, 1, 1, 1, 0, 0, arguments));
            }
            // All of them were read when this is answered.
            assertEquals(Result.ERROR_NOT_READY, client.query(2));
            assertTrue(client.helpers() <= 2, "threads: " + client.helpers());
            scene.slow.open();
            assertEquals(Result.SUCCESS, client.call(new ContextSynchronize()).result());
            assertEquals(count / 2, client.read(3, scene.cell + 4));
            assertEquals(count / 2, client.read(3, scene.cell + 8));
            assertEquals(count + 1, client.retired());
        }
    }
}
