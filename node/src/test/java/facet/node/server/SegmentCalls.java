package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.abi.Command;
import facet.abi.Read;
import facet.abi.Result;
import facet.abi.SegmentAccess;
import facet.abi.SegmentCreate;
import facet.abi.SegmentMap;

/** What tests of segments ask of a session. */
final class SegmentCalls {
    static final long GRANULE = 2L << 20;
    static final long PLACE = 0x6500_0000_0000L;
    static final int READ = 1;
    static final int READ_WRITE = 3;
    static final long STAGED = 512L << 20;

    private SegmentCalls() {}

    static void answers(int expected, TestClient client, Command command) throws Exception {
        assertEquals(expected, client.call(command).result(), () -> command.toString());
    }

    static void succeeds(TestClient client, Command command) throws Exception {
        answers(Result.SUCCESS, client, command);
    }

    static void finishes(TestClient client) throws Exception {
        assertEquals(Result.SUCCESS, client.synchronize(0));
    }

    /** A segment that kernels may read and write at an address. */
    static void make(TestClient client, int number, long address) throws Exception {
        succeeds(client, new SegmentCreate(GRANULE, number, 0));
        map(client, number, address, READ_WRITE);
    }

    static void map(TestClient client, int number, long address, int access) throws Exception {
        succeeds(client, new SegmentMap(address, 0, GRANULE, number));
        succeeds(client, new SegmentAccess(address, GRANULE, 0, access));
    }

    static TestClient client(SliceServer slice) throws Exception {
        TestClient client = TestClient.withContext(slice);
        client.load(0, Kernels.ADD);
        client.pin(STAGED, 4096);
        return client;
    }

    static int get(TestClient client, long address) throws Exception {
        succeeds(client, new Read(TestClient.BASE + STAGED, address, 4, 0));
        return client.get(STAGED);
    }

    /** A kernel adds to 32 numbers. */
    static void add(TestClient client, long address, int value) throws Exception {
        client.launch(0, 0, 1, 32, address, 32, value);
        finishes(client);
    }
}
