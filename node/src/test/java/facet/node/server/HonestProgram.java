package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.abi.Result;
import java.util.concurrent.atomic.AtomicBoolean;

/** A program that computes while others do what they should not. */
final class HonestProgram {
    private HonestProgram() {}

    /** Results must be right all the time. */
    static void run(SliceServer slice, AtomicBoolean done) throws Exception {
        try (TestClient client = new TestClient(slice.socket())) {
            client.createContext();
            long cells = client.allocate(0, 1 << 16);
            client.load(0, Kernels.ADD);
            for (int round = 1; round < 5 || !done.get(); round++) {
                client.launch(0, 0, 64, 256, cells, 1 << 14, 1);
                assertEquals(Result.SUCCESS, client.synchronize(0));
                for (int i = 0; i < 1 << 14; i += 1021) {
                    assertEquals(round, client.get(4L * i));
                }
            }
        }
    }
}
