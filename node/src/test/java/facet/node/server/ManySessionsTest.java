package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.abi.ContextSynchronize;
import facet.abi.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several programs at once, in one slice and in several. */
@Timeout(300)
class ManySessionsTest {
    private static final int LAUNCHES = 50;
    private static final int ROUNDS = 3;

    @ParameterizedTest
    @ValueSource(ints = {2, 16})
    void eachHasItsOwn(int programs) throws Exception {
        try (TestNode node = new TestNode();
                ExecutorService threads = Executors.newFixedThreadPool(programs)) {
            List<SliceServer> slices = List.of(node.slice("one"), node.slice("two"));
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < programs; i++) {
                int number = i;
                all.add(
                        threads.submit(() -> {
                            for (int round = 0; round < ROUNDS; round++) {
                                program(slices.get(number % 2), number + 1);
                            }
                            return null;
                        }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
    }

    private static void program(SliceServer slice, int number) throws Exception {
        try (TestClient client = TestClient.withContext(slice)) {
            long cells = client.allocate(4096, 4096);
            assertEquals(Result.SUCCESS, client.load(0, Kernels.ADD).result());
            client.set(4096, 0);
            for (int i = 0; i < LAUNCHES; i++) {
                client.launch(0, 0, 4, 256, cells, 1000, number);
                if (i % 10 == 0) {
                    assertEquals(Result.SUCCESS, client.synchronize(0));
                }
            }
            assertEquals(Result.SUCCESS, client.call(new ContextSynchronize()).result());
            assertEquals(LAUNCHES * number, client.get(4096));
            client.free(cells, 4096);
        }
    }
}
