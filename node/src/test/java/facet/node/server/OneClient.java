package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Result;
import facet.ring.Reply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** One client with a context, on a session in this process. */
abstract class OneClient {
    final TestNode node;
    final SliceServer slice;
    final TestClient client;

    OneClient() throws Exception {
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

    int cell(long address) throws Exception {
        return client.get(address - TestClient.BASE);
    }

    /** Commands are retired in batches, some of them a moment after the reply that follows. */
    void assertRetired(long commands) {
        long end = System.nanoTime() + TestClient.PATIENCE.toNanos();
        while (client.retired() < commands && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertEquals(commands, client.retired());
    }
}
