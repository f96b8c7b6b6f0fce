package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Constants;
import facet.abi.ContextSynchronize;
import facet.abi.Copy;
import facet.abi.CopyBox;
import facet.abi.EventCreate;
import facet.abi.EventElapsed;
import facet.abi.EventQuery;
import facet.abi.EventRecord;
import facet.abi.EventSynchronize;
import facet.abi.Fill;
import facet.abi.HostFunction;
import facet.abi.HostFunctionDone;
import facet.abi.Result;
import facet.abi.StreamCreate;
import facet.abi.StreamDestroy;
import facet.abi.StreamQuery;
import facet.abi.StreamWaitEvent;
import facet.abi.Write;
import facet.ring.Reply;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client can do, on a session in this process. */
@Timeout(300)
class SessionTest extends OneClient {
    SessionTest() throws Exception {}

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
}
