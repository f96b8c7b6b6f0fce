package facet.node.server;

import static facet.node.server.OversubscriptionTest.DEVICE;
import static facet.node.server.OversubscriptionTest.LATE;
import static facet.node.server.OversubscriptionTest.LIMIT;
import static facet.node.server.OversubscriptionTest.SOON;
import static facet.node.server.Patience.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import facet.abi.Advise;
import facet.abi.Allocate;
import facet.abi.Constants;
import facet.abi.Free;
import facet.abi.Prefetch;
import facet.abi.Result;
import facet.abi.Touch;
import facet.node.server.TestNode.Wall;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Managed memory of slices that were promised more than the device has. */
@Timeout(300)
class ManagedRoomTest {
    /** A client with 40 MiB of it. */
    private static TestClient withManaged(SliceServer slice) throws Exception {
        TestClient client = TestClient.withContext(slice);
        client.claim(40 << 20);
        client.post(new Allocate(TestClient.BASE, 40 << 20, Constants.MEMORY_MANAGED));
        return client;
    }

    private static void prefetch(TestClient client, boolean toDevice) throws Exception {
        client.post(new Prefetch(TestClient.BASE, 40 << 20, 0, 0, toDevice ? 1 : 0));
        assertEquals(Result.SUCCESS, client.synchronize(0));
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "PROCESS", "MIXED"})
    void managedMemoryStays(Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall, DEVICE);
                TestClient first = withManaged(node.slice("first", LIMIT))) {
            assertEquals(Result.SUCCESS, first.call(new Touch()).result());
            try (TestClient second = withManaged(node.slice("second", LIMIT))) {
                node.residency().patience(SOON);
                assertEquals(Result.ERROR_OUT_OF_MEMORY, second.call(new Touch()).result());
                assertThrows(IllegalStateException.class, () -> second.touch(() -> {}));
                node.residency().patience(LATE);
                first.post(new Free(TestClient.BASE));
                assertEquals(Result.SUCCESS, second.call(new Touch()).result());
            }
        }
    }

    /** Where the program wants it decides who has the room. Nothing of it is copied. */
    @ParameterizedTest
    @EnumSource(names = {"NONE", "PROCESS", "MIXED"})
    void managedMemoryGoesWhereItIsPrefetched(Wall wall) throws Exception {
        assumeFalse(Boolean.getBoolean("facet.far"), "there kernels reach only what is there");
        long all = 40 << 20;
        try (TestNode node = new TestNode(wall, DEVICE);
                TestClient first = withManaged(node.slice("first", LIMIT));
                TestClient second = withManaged(node.slice("second", LIMIT))) {
            assertEquals(Result.SUCCESS, first.call(new Touch()).result());
            first.load(0, Kernels.ADD);
            first.set(0, 30);
            prefetch(first, false);
            assertEquals(Result.SUCCESS, second.call(new Touch()).result());
            await(() -> node.residentOf("second") == all, "it is there");
            assertEquals(0, node.residentOf("first"));
            // Kernels and the program reach it all the same.
            first.launch(0, 0, 1, 32, TestClient.BASE, 32, 4);
            assertEquals(Result.SUCCESS, first.synchronize(0));
            assertEquals(34, first.get(0));
            // Nobody leaves for it: it stays where it is, and that is no error.
            node.residency().patience(SOON);
            prefetch(first, true);
            assertEquals(0, node.residentOf("first"));
            assertEquals(all, node.residentOf("second"));
            // Now the other one need not be there.
            node.residency().patience(LATE);
            second.post(new Advise(TestClient.BASE, all, 1));
            assertEquals(Result.SUCCESS, second.synchronize(0));
            // A wish, which a worker that is late may not hear of in time.
            for (int i = 0; i < 100 && node.residentOf("first") != all; i++) {
                prefetch(first, true);
            }
            await(() -> node.residentOf("first") == all, "it came back");
            await(() -> node.residentOf("second") == 0, "it made room");
            assertEquals(34, first.get(0));
            await(() -> node.figures().moves() == 3, "out, back, and the other one out");
            assertEquals(3 * all, node.figures().movedBytes());
        }
    }
}
