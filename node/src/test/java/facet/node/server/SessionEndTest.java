package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.HostFunction;
import facet.abi.Result;
import facet.abi.StreamQuery;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that go, whatever they have under way. */
@Timeout(300)
class SessionEndTest extends OneClient {
    SessionEndTest() throws Exception {}

    @Test
    void theEndOfAClientReleasesEverything() throws Exception {
        long cells = client.allocate(0, 1 << 20);
        client.load(0, Kernels.SPIN);
        client.launch(0, 0, 1, 1, cells);
        client.post(new HostFunction(1, 0));
        client.call(new StreamQuery(0));
        assertEquals(1, slice.sessions().size());
        // A kernel that no worker has begun when its client goes takes no time at all.
        Patience.await(() -> slice.deviceNanos() > 0, "the kernel has begun");
        client.connection.close();
        Patience.awaitSessions(slice, 0);
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
        Patience.awaitSessions(slice, 0);
        assertFalse(node.log().contains("defect"), node.log());
    }

    @Test
    void aClientWithHostFunctionsUnderWayCanEnd() throws Exception {
        client.post(new HostFunction(1, 0));
        client.takeCallback();
        client.connection.close();
        Patience.awaitSessions(slice, 0);
        assertFalse(node.log().contains("broke the protocol"));
    }
}
