package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Constants;
import facet.abi.ContextDestroy;
import facet.abi.ContextSynchronize;
import facet.abi.Copy;
import facet.abi.CopyBox;
import facet.abi.EventCreate;
import facet.abi.EventDestroy;
import facet.abi.EventElapsed;
import facet.abi.EventQuery;
import facet.abi.EventRecord;
import facet.abi.EventSynchronize;
import facet.abi.Fill;
import facet.abi.FreeAsync;
import facet.abi.FunctionRecordLayout;
import facet.abi.HostFunction;
import facet.abi.HostFunctionDone;
import facet.abi.ModuleAnswerLayout;
import facet.abi.ModuleLoad;
import facet.abi.ModuleUnload;
import facet.abi.Result;
import facet.abi.StreamCreate;
import facet.abi.StreamDestroy;
import facet.abi.StreamQuery;
import facet.abi.StreamWaitEvent;
import facet.abi.Write;
import facet.ring.Reply;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client can do, on a session in this process. */
@Timeout(300)
class SessionTest {
    private final TestNode node;
    private final SliceServer slice;
    private final TestClient client;

    SessionTest() throws Exception {
        node = new TestNode();
        slice = node.slice("one");
        client = new TestClient(slice.socket());
    }

    @BeforeEach
    void createContext() throws Exception {
        Reply reply = client.createContext();
        assertEquals(Result.SUCCESS, reply.result());
        assertTrue(reply.payload()[0] > TestNode.MEMORY);
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        node.close();
    }

    private int cell(long address) throws Exception {
        return client.get(address - TestClient.BASE);
    }

    @Test
    void deviceAndSliceAreKnownWithoutAsking() {
        assertEquals("Test GPU", client.side.device(0).name());
        assertEquals(1L << 30, client.side.device(0).memory());
        assertEquals(TestNode.MEMORY, client.limit());
        assertEquals(8, client.side.device(0).attributes()[75]);
        assertEquals(1024, client.side.device(0).attributes()[1]);
    }

    @Test
    void allocateCopyLaunchAndWait() throws Exception {
        long cells = client.allocate(4096, 4096);
        assertEquals(Result.SUCCESS, client.load(0, Kernels.ADD).result());
        client.set(4096 + 40, 5);
        for (int i = 0; i < 100; i++) {
            client.launch(0, 0, 4, 256, cells, 1000, 3);
        }
        assertEquals(Result.SUCCESS, client.synchronize(0));
        assertEquals(300, cell(cells));
        assertEquals(305, cell(cells + 40));
        assertEquals(100, client.retired());
        client.post(new Copy(cells + 4000, cells + 40, 4, 0));
        client.post(new Write(cells + 4004, 0, new byte[] {1, 2, 3, 4}));
        assertEquals(Result.SUCCESS, client.call(new ContextSynchronize()).result());
        assertEquals(305, cell(cells + 4000));
        assertEquals(0x04030201, cell(cells + 4004));
        assertEquals(102, client.retired());
        assertEquals(100, slice.launches());
        assertEquals(4096, slice.memoryUsed());
        client.free(cells, 4096);
        client.call(new ContextSynchronize());
        assertEquals(0, slice.memoryUsed());
    }

    @Test
    void whatWasIssuedIsRetiredWithoutAWait() throws Exception {
        long cells = client.allocate(0, 4096);
        client.load(0, Kernels.ADD);
        for (int i = 0; i < 70; i++) {
            client.launch(0, 0, 1, 32, cells, 32, 1);
        }
        assertRetired(70);
        assertEquals(70, cell(cells));
    }

    @Test
    void rowsAreFilledAndCopied() throws Exception {
        long from = client.allocate(0, 1 << 20);
        client.post(new Fill(from, 100, 10, 21, 0x01020304, 4, 0));
        client.post(new Fill(from + 8192, 0, 64, 1, 0xAB, 1, 0));
        long to = from + 65536;
        client.post(new CopyBox(to, 64, 640, from, 100, 1000, 40, 10, 2, 0));
        assertEquals(Result.SUCCESS, client.synchronize(0));
        for (int row = 0; row < 21; row++) {
            assertEquals(0x01020304, cell(from + row * 100L), "row " + row);
            assertEquals(0x01020304, cell(from + row * 100L + 36), "row " + row);
            assertEquals(0, cell(from + row * 100L + 40), "row " + row);
        }
        assertEquals(0, cell(from + 2100));
        assertEquals(0xABABABAB, cell(from + 8192 + 60));
        assertEquals(0x01020304, cell(to + 640 + 9 * 64 + 36));
        assertEquals(0, cell(to + 640 + 9 * 64 + 40));
    }

    @Test
    void aShapeThatCannotBeIsReportedByTheNextWait() throws Exception {
        long from = client.allocate(0, 1 << 20);
        client.post(new CopyBox(from, 0, 0, from, 0, 0, 1, 1L << 60, 1, 0));
        assertEquals(Result.ERROR_INVALID_VALUE, client.synchronize(0));
        assertEquals(Result.SUCCESS, client.synchronize(0));
    }

    @Test
    void theLegacyStreamWaitsForOthersAndTheyForIt() throws Exception {
        long cells = client.allocate(0, 8192);
        client.load(0, Kernels.SPIN);
        client.post(new StreamCreate(1, 0, 0));
        client.post(new StreamCreate(2, Constants.STREAM_NON_BLOCKING, 0));
        client.launch(1, 0, 1, 1, cells);
        client.post(new Fill(cells + 4096, 0, 1, 1, 7, 4, 0));
        client.post(new Fill(cells + 4100, 0, 1, 1, 8, 4, 2));
        assertEquals(Result.SUCCESS, client.synchronize(2));
        assertEquals(8, cell(cells + 4100));
        assertEquals(0, cell(cells + 4096), "stream 0 did not wait for stream 1");
        assertEquals(Result.ERROR_NOT_READY, client.call(new StreamQuery(0)).result());
        client.set(0, 1);
        assertEquals(Result.SUCCESS, client.synchronize(0));
        assertEquals(7, cell(cells + 4096));
        assertEquals(Result.SUCCESS, client.call(new StreamQuery(0)).result());
        // And the other way round.
        client.set(0, 0);
        client.launch(0, 0, 1, 1, cells);
        client.post(new Fill(cells + 4096, 0, 1, 1, 9, 4, 1));
        assertEquals(Result.ERROR_NOT_READY, client.call(new StreamQuery(1)).result());
        Thread.sleep(20);
        assertEquals(7, cell(cells + 4096));
        client.set(0, 1);
        assertEquals(Result.SUCCESS, client.synchronize(1));
        assertEquals(9, cell(cells + 4096));
    }

    /** Its session's thread did it before: to wake another one takes longer. */
    @Test
    void aKernelThatIsLongForOnceHoldsUpNobody() throws Exception {
        long cells = client.allocate(0, 8192);
        client.load(0, Kernels.LOOP);
        client.post(new StreamCreate(1, Constants.STREAM_NON_BLOCKING, 0));
        client.post(new StreamCreate(2, Constants.STREAM_NON_BLOCKING, 0));
        for (int i = 1; i < 2000; i++) {
            client.launch(1, 0, 1, 1, cells, 1L);
            assertEquals(Result.SUCCESS, client.synchronize(1));
        }
        for (int i = 0; i < 3; i++) {
            client.launch(1, 0, 1, 1, cells, 1L << 62);
            for (int value = 1; value < 20; value++) {
                client.post(new Fill(cells + 4096, 0, 1, 1, value, 4, 2));
                assertEquals(Result.SUCCESS, client.synchronize(2));
                assertEquals(value, cell(cells + 4096));
            }
            assertEquals(Result.ERROR_NOT_READY, client.call(new StreamQuery(1)).result());
        }
        // And the session ends although its kernels do not.
        client.close();
        try (TestClient next = TestClient.withContext(slice)) {
            assertEquals(Result.SUCCESS, next.synchronize(0));
        }
    }

    @Test
    void eventsOrderStreamsAndMeasure() throws Exception {
        long cells = client.allocate(0, 8192);
        client.load(0, Kernels.SPIN);
        client.post(new StreamCreate(1, Constants.STREAM_NON_BLOCKING, 0));
        client.post(new StreamCreate(2, Constants.STREAM_NON_BLOCKING, 0));
        client.post(new EventCreate(1, 0));
        client.post(new EventCreate(2, 0));
        client.post(new EventCreate(3, Constants.EVENT_NO_TIMING));
        client.post(new EventRecord(1, 1));
        client.launch(1, 0, 1, 1, cells);
        client.post(new EventRecord(2, 1));
        client.post(new EventRecord(3, 1));
        client.post(new StreamWaitEvent(2, 2));
        client.post(new Fill(cells + 4096, 0, 1, 1, 5, 4, 2));
        assertEquals(Result.SUCCESS, client.call(new EventSynchronize(1)).result());
        assertEquals(Result.ERROR_NOT_READY, client.call(new EventQuery(2)).result());
        assertEquals(Result.ERROR_NOT_READY, client.call(new EventElapsed(1, 2)).result());
        assertEquals(Result.ERROR_INVALID_HANDLE, client.call(new EventElapsed(1, 3)).result());
        Thread.sleep(30);
        assertEquals(0, cell(cells + 4096));
        client.set(0, 1);
        assertEquals(Result.SUCCESS, client.call(new EventSynchronize(2)).result());
        Reply elapsed = client.call(new EventElapsed(1, 2));
        assertEquals(Result.SUCCESS, elapsed.result());
        assertTrue(elapsed.payload()[0] > 20_000_000, "" + elapsed.payload()[0]);
        assertEquals(Result.SUCCESS, client.synchronize(2));
        assertEquals(5, cell(cells + 4096));
        client.post(new StreamDestroy(2));
        client.post(new StreamCreate(2, 0, 0));
        assertEquals(Result.SUCCESS, client.synchronize(2));
    }

    @Test
    void hostFunctionsHoldTheirStream() throws Exception {
        long cells = client.allocate(0, 4096);
        client.post(new Fill(cells, 0, 1, 1, 1, 4, 0));
        client.post(new HostFunction(0x1234, 0));
        client.post(new Fill(cells, 0, 1, 1, 2, 4, 0));
        assertEquals(0x1234, client.takeCallback());
        assertEquals(1, cell(cells));
        assertEquals(Result.ERROR_NOT_READY, client.call(new StreamQuery(0)).result());
        client.post(new HostFunctionDone(0x1234));
        assertEquals(Result.SUCCESS, client.synchronize(0));
        assertEquals(2, cell(cells));
        assertEquals(3, client.retired());
    }

    @Test
    void manyCommandsWaitBehindAHostFunction() throws Exception {
        long cells = client.allocate(0, 4096);
        client.post(new HostFunction(1, 0));
        client.takeCallback();
        for (int i = 1; i <= 100_000; i++) {
            client.post(new Fill(cells, 0, 1, 1, i, 4, 0));
        }
        client.post(new HostFunctionDone(1));
        assertEquals(Result.SUCCESS, client.synchronize(0));
        assertEquals(100_000, cell(cells));
        assertEquals(100_001, client.retired());
    }

    @Test
    void aClientQuickerThanTheDeviceWaitsForRoom() throws Exception {
        // No command can let the kernel go on: there is no room for one.
        long cells = client.pin(0, 8192);
        client.load(0, Kernels.SPIN);
        client.launch(0, 0, 1, 1, cells);
        int posted = 0;
        try {
            for (; posted < 300_000; posted++) {
                client.side.post(
                        0,
                        new Fill(cells + 4096, 0, 1, 1, posted, 4, 0),
                        java.time.Duration.ofSeconds(5));
            }
        } catch (java.util.concurrent.TimeoutException e) {
            assertTrue(posted > 10_000, posted + " commands");
        }
        assertTrue(posted < 300_000, "nothing holds it back");
        client.memory().set(ValueLayout.JAVA_INT, 0, 1);
        assertRetired(posted + 1);
        assertEquals(posted - 1, client.memory().get(ValueLayout.JAVA_INT, 4096));
    }

    /** Commands are retired in batches, some of them a moment after the reply that follows. */
    private void assertRetired(long commands) {
        long end = System.nanoTime() + TestClient.PATIENCE.toNanos();
        while (client.retired() < commands && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertEquals(commands, client.retired());
    }

    @Test
    void aFaultEndsTheContextAndIsSeenEverywhere() throws Exception {
        long cells = client.allocate(0, 4096);
        client.load(0, Kernels.WILD);
        client.load(1, Kernels.ADD);
        client.launch(0, 0, 1, 1);
        client.post(new HostFunction(77, 0));
        assertEquals(Result.ERROR_ILLEGAL_ADDRESS, client.synchronize(0));
        assertEquals(Result.ERROR_ILLEGAL_ADDRESS, client.side.contextStatus(0).fault());
        assertEquals(77, client.takeCallback());
        client.post(new HostFunctionDone(77));
        // What follows is refused, but breaks nothing.
        client.post(new StreamCreate(5, 0, 0));
        client.post(new EventCreate(5, 0));
        client.launchOf(1, 5, 0, 1, 32, cells, 32, 1);
        client.post(new EventRecord(5, 5));
        client.post(new StreamDestroy(5));
        client.post(new ModuleUnload(1));
        client.free(cells, 4096);
        assertEquals(Result.ERROR_ILLEGAL_ADDRESS, client.call(new EventSynchronize(5)).result());
        assertRetired(4);
        assertEquals(Result.SUCCESS, client.call(new ContextDestroy()).result());
        assertEquals(0, slice.memoryUsed());
        assertEquals(Result.SUCCESS, client.createContext().result());
        assertEquals(0, client.side.contextStatus(0).fault());
        client.load(0, Kernels.ADD);
        cells = client.allocate(0, 4096);
        client.launch(0, 0, 1, 32, cells, 32, 1);
        assertEquals(Result.SUCCESS, client.synchronize(0));
        assertEquals(1, cell(cells));
    }

    /** A record that had to wait for another stream is refused, and its event never reached. */
    @Test
    void theTimeOfAnEventAfterAFaultIsRefused() throws Exception {
        client.load(0, Kernels.WILD);
        client.post(new StreamCreate(1, 0, 0));
        client.post(new StreamCreate(2, Constants.STREAM_NON_BLOCKING, 0));
        client.post(new EventCreate(0, 0));
        client.post(new HostFunction(77, 1));
        client.takeCallback();
        client.launch(2, 0, 1, 1);
        assertEquals(Result.ERROR_ILLEGAL_ADDRESS, client.synchronize(2));
        client.post(new EventRecord(0, 0));
        assertEquals(Result.ERROR_ILLEGAL_ADDRESS, client.call(new EventElapsed(0, 0)).result());
        client.post(new HostFunctionDone(77));
        assertEquals(Result.SUCCESS, client.call(new ContextDestroy()).result());
        assertFalse(node.log().contains("defect"), node.log());
    }

    /** A fat binary of the host's tests. */
    private static byte[] image(String name) throws IOException {
        return Files.readAllBytes(Path.of("../host/src/test/resources/facet/host/image", name));
    }

    @Test
    void modulesTellWhatTheyHave() throws Exception {
        Reply reply = client.load(0, image("k-size.fatbin"));
        assertEquals(Result.SUCCESS, reply.result());
        MemorySegment answer = client.lastAnswer();
        assertEquals(2, answer.get(ValueLayout.JAVA_INT, ModuleAnswerLayout.FUNCTION_COUNT_OFFSET));
        assertEquals(1, answer.get(ValueLayout.JAVA_INT, ModuleAnswerLayout.VARIABLE_COUNT_OFFSET));
        long names =
                ModuleAnswerLayout.BYTES
                        + 2L * FunctionRecordLayout.BYTES
                        + 8L
                                * answer.get(
                                        ValueLayout.JAVA_INT,
                                        ModuleAnswerLayout.PARAMETER_COUNT_OFFSET)
                        + 24;
        int first = answer.get(ValueLayout.JAVA_INT, ModuleAnswerLayout.BYTES);
        assertTrue(answer.getString(names + first).matches("scale|count"));
        assertEquals(
                80,
                answer.get(
                        ValueLayout.JAVA_INT,
                        ModuleAnswerLayout.BYTES + FunctionRecordLayout.PTX_VERSION_OFFSET));
        assertEquals(256, slice.memoryUsed());
        assertEquals(256, client.claimed());
        client.post(new ModuleUnload(0));
        client.call(new ContextSynchronize());
        long end = System.nanoTime() + TestClient.PATIENCE.toNanos();
        while (slice.memoryUsed() != 0 && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertEquals(0, slice.memoryUsed());
        assertEquals(0, client.claimed());
    }

    @Test
    void aModuleThatFailsTellsWhy() throws Exception {
        Reply reply = client.load(0, ".version 8.0\n.target sm_75\n.address_size 64\n bogus\n");
        assertEquals(Result.ERROR_INVALID_PTX, reply.result());
        assertTrue(client.lastLog().contains("4"), client.lastLog());
        assertEquals(
                Result.ERROR_NO_BINARY_FOR_GPU, client.load(0, image("k-elf.fatbin")).result());
        assertTrue(client.lastLog().contains("-gencode"), client.lastLog());
        // The number is still free.
        assertEquals(Result.SUCCESS, client.load(0, Kernels.ADD).result());
    }

    @Test
    void anAnswerThatDoesNotFitIsAskedForAgain() throws Exception {
        byte[] image = Kernels.ADD.getBytes(StandardCharsets.UTF_8);
        MemorySegment.copy(image, 0, client.memory(), ValueLayout.JAVA_BYTE, 0, image.length);
        long base = TestClient.BASE;
        Reply small = client.call(new ModuleLoad(base, image.length, base + 8192, 16, 3, 0));
        assertEquals(Result.SUCCESS, small.result());
        assertTrue(small.payload()[0] > 16);
        Reply fitting =
                client.call(
                        new ModuleLoad(base, image.length, base + 8192, small.payload()[0], 3, 0));
        assertEquals(Result.SUCCESS, fitting.result());
        assertEquals(small.payload()[0], fitting.payload()[0]);
    }

    @Test
    void aLaunchThatIsRefusedIsReportedByTheNextWait() throws Exception {
        long cells = client.allocate(0, 4096);
        client.load(0, Kernels.ADD);
        client.launch(0, 0, 1, 4096, cells, 32, 1);
        client.launch(0, 0, 1, 32, cells, 32, 1);
        assertEquals(Result.ERROR_INVALID_VALUE, client.synchronize(0));
        assertEquals(1, cell(cells), "the launch behind it ran");
        assertEquals(Result.SUCCESS, client.synchronize(0));
        assertEquals(2, client.retired());
    }

    @Test
    void theEndOfAClientReleasesEverything() throws Exception {
        long cells = client.allocate(0, 1 << 20);
        client.load(0, Kernels.SPIN);
        client.launch(0, 0, 1, 1, cells);
        client.post(new HostFunction(1, 0));
        client.call(new StreamQuery(0));
        assertEquals(1, slice.sessions().size());
        long end = System.nanoTime() + TestClient.PATIENCE.toNanos();
        // A kernel that no worker has begun when its client goes takes no time at all.
        while (slice.deviceNanos() == 0 && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        client.connection.close();
        while (!slice.sessions().isEmpty() && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        assertTrue(slice.sessions().isEmpty());
        assertEquals(0, slice.memoryUsed());
        assertEquals(1, slice.launches());
        assertTrue(slice.deviceNanos() > 0);
        assertTrue(node.log().contains("its program has ended"), node.log());
        try (TestClient other = new TestClient(slice.socket())) {
            assertEquals(0, other.taken(), "the ledger's slot was cleared");
        }
    }

    /** 20,000 loops that may spin: their kernel was compiled for minutes once. */
    @Test
    void whatIsCompiledEndsWithItsClient() throws Exception {
        StringBuilder text = new StringBuilder(".version 8.0\n.target sm_75\n.address_size 64\n");
        text.append(".visible .entry loops(.param .u64 cells)\n{ .reg .pred %p; .reg .b32 %r;");
        text.append(" .reg .b64 %rd; ld.param.u64 %rd, [cells];\n");
        for (int i = 0; i < 20_000; i++) {
            text.append("L%d: ld.volatile.global.u32 %%r, [%%rd];".formatted(i));
            text.append(" setp.eq.u32 %%p, %%r, %d; @%%p bra L%d;%n".formatted(i, i / 2));
        }
        text.append("ret; }\n");
        assertEquals(Result.SUCCESS, client.load(0, text.toString()).result());
        client.launch(0, 0, 1, 1, client.allocate(0, 4096));
        // Most likely it is being compiled then; the session ends soon in any case.
        Thread.sleep(200);
        client.connection.close();
        long end = System.nanoTime() + TestClient.PATIENCE.toNanos();
        while (!slice.sessions().isEmpty() && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        assertTrue(slice.sessions().isEmpty());
        assertFalse(node.log().contains("defect"), node.log());
    }

    @Test
    void aClientWithHostFunctionsUnderWayCanEnd() throws Exception {
        client.post(new HostFunction(1, 0));
        client.takeCallback();
        client.connection.close();
        long end = System.nanoTime() + TestClient.PATIENCE.toNanos();
        while (!slice.sessions().isEmpty() && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        assertTrue(slice.sessions().isEmpty());
        assertFalse(node.log().contains("broke the protocol"));
    }

    /** CUDA calls it an error to use what another thread destroys; it does not end the program. */
    @Test
    void whatAnotherThreadDestroyedIsAnInvalidHandle() throws Exception {
        long cells = client.allocate(0, 4096);
        client.load(0, Kernels.ADD);
        client.load(1, Kernels.SPIN);
        client.post(new StreamCreate(5, 0, 0));
        client.post(new EventCreate(6, 0));
        client.post(new StreamDestroy(5));
        client.launch(5, 0, 1, 32, cells, 32, 1);
        assertEquals(Result.ERROR_INVALID_HANDLE, client.synchronize(0));
        assertEquals(Result.SUCCESS, client.synchronize(0), "it is told once");
        client.post(new Copy(cells, cells + 64, 4, 5));
        client.post(new Write(cells, 5, new byte[4]));
        client.post(new Fill(cells, 0, 4, 1, 1, 4, 5));
        client.post(new EventRecord(6, 5));
        client.post(new StreamWaitEvent(5, 6));
        client.post(new HostFunction(77, 5));
        client.post(new FreeAsync(client.allocate(4096, 4096), 5));
        client.claim(-4096);
        client.post(new StreamDestroy(5));
        client.post(new EventDestroy(6));
        client.post(new EventRecord(6, 0));
        client.post(new ModuleUnload(1));
        client.launchOf(1, 0, 0, 1, 1, cells);
        assertEquals(77, client.takeCallback(), "the client waits for its function");
        assertEquals(Result.ERROR_INVALID_HANDLE, client.call(new ContextSynchronize()).result());
        assertEquals(Result.ERROR_INVALID_HANDLE, client.synchronize(5));
        assertEquals(Result.ERROR_INVALID_HANDLE, client.call(new EventQuery(6)).result());
        assertEquals(10, client.retired(), "nobody waits for them");
        client.launch(0, 0, 1, 32, cells, 32, 1);
        assertEquals(Result.SUCCESS, client.synchronize(0));
        assertEquals(1, cell(cells));
        assertEquals(4096, slice.memoryUsed());
        assertEquals(0, slice.faults());
    }

    @Test
    void faultsAreCountedAndALoopOfThemDoesNotFillTheLog() throws Exception {
        assertEquals(0, slice.faults());
        assertEquals("", slice.lastFault());
        long start = System.nanoTime();
        for (int i = 0; i < 150; i++) {
            client.load(0, Kernels.WILD);
            client.launch(0, 0, 1, 1);
            assertEquals(Result.ERROR_ILLEGAL_ADDRESS, client.synchronize(0));
            assertEquals(Result.SUCCESS, client.call(new ContextDestroy()).result());
            assertEquals(Result.SUCCESS, client.createContext().result());
        }
        assertEquals(150, slice.faults());
        assertTrue(slice.lastFault().contains("kernel wild"), slice.lastFault());
        assertTrue(slice.lastFault().contains("(700)"), slice.lastFault());
        long lines = node.log().lines().filter(line -> line.contains("kernel wild")).count();
        // A hundred at once, then one a second, however long all of this has taken.
        long most = 101 + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
        assertTrue(lines >= 50 && lines <= most, () -> lines + " lines, not up to " + most);
        client.close();
        assertEquals(150, slice.faults(), "they are the slice's, not the session's");
    }
}
