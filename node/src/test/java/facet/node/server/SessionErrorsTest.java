package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Constants;
import facet.abi.ContextDestroy;
import facet.abi.ContextSynchronize;
import facet.abi.Copy;
import facet.abi.EventCreate;
import facet.abi.EventDestroy;
import facet.abi.EventElapsed;
import facet.abi.EventQuery;
import facet.abi.EventRecord;
import facet.abi.EventSynchronize;
import facet.abi.Fill;
import facet.abi.FreeAsync;
import facet.abi.HostFunction;
import facet.abi.HostFunctionDone;
import facet.abi.ModuleUnload;
import facet.abi.Result;
import facet.abi.StreamCreate;
import facet.abi.StreamDestroy;
import facet.abi.StreamWaitEvent;
import facet.abi.Write;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client does wrong, and what its kernels do: its session goes on. */
@Timeout(300)
class SessionErrorsTest extends OneClient {
    SessionErrorsTest() throws Exception {}

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
