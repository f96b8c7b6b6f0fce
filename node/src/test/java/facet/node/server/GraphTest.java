package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Command;
import facet.abi.ContextSynchronize;
import facet.abi.Copy;
import facet.abi.EventCreate;
import facet.abi.EventRecord;
import facet.abi.EventSynchronize;
import facet.abi.Fill;
import facet.abi.GraphCondition;
import facet.abi.GraphCreate;
import facet.abi.GraphDestroy;
import facet.abi.GraphLaunch;
import facet.abi.GraphStep;
import facet.abi.HostFunction;
import facet.abi.HostFunctionDone;
import facet.abi.Launch;
import facet.abi.ModuleUnload;
import facet.abi.Result;
import facet.abi.StreamCreate;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Graphs as the host keeps and runs them, and lists that no honest client sends. */
@Timeout(300)
class GraphTest {
    private static final int IF = 0;
    private static final int WHILE = 1;
    private static final int SWITCH = 2;

    private final TestNode node;
    private final SliceServer slice;
    private final TestClient client;
    private long cells;

    GraphTest() throws Exception {
        node = new TestNode();
        slice = node.slice("one");
        client = new TestClient(slice.socket());
    }

    @BeforeEach
    void prepare() throws Exception {
        assertEquals(Result.SUCCESS, client.createContext().result());
        cells = client.allocate(0, 4096);
        client.load(0, Kernels.ADD);
        client.post(new Fill(cells, 4096, 1024, 1, 0, 4, 0));
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        node.close();
    }

    /** Adds a value to the cell with a number. */
    private Launch add(int cell, int value) {
        byte[] arguments =
                ByteBuffer.allocate(16)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(cells + 4L * cell)
                        .putInt(1)
                        .putInt(value)
                        .array();
        return new Launch(0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, arguments);
    }

    private static byte[] bytes(Command command) {
        return command.encode(0, 0, 0);
    }

    private void step(int step, Command command) throws Exception {
        client.post(new GraphStep(0, 0, step, 0, 0, bytes(command)));
    }

    private static byte[] blocks(int... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
        for (int each : numbers) {
            bytes.putInt(each);
        }
        return bytes.array();
    }

    private int cell(int number) throws Exception {
        return client.get(4L * number);
    }

    private void launch(int stream) throws Exception {
        client.post(new GraphLaunch(0, stream));
    }

    @Test
    void aLaunchIsOneCommand() throws Exception {
        client.post(new GraphCreate(0));
        for (int i = 0; i < 100; i++) {
            step(i, add(0, 1));
        }
        for (int i = 0; i < 10; i++) {
            launch(0);
        }
        assertEquals(Result.SUCCESS, client.synchronize(0));
        assertEquals(1000, cell(0));
        assertEquals(11, client.retired());
        assertEquals(1000, slice.launches());
        // A step is replaced, another one is nothing from now on.
        step(7, add(0, 1000));
        client.post(new GraphStep(0, 0, 8, 0, 0, new byte[0]));
        launch(0);
        assertEquals(Result.SUCCESS, client.synchronize(0));
        assertEquals(1000 + 98 + 1000, cell(0));
    }

    /** Its kernel is compiled once, however many steps wait for it. */
    @Test
    void aLargeGraphIsLaunchedBeforeItsKernelIsThere() throws Exception {
        int steps = 20_000;
        client.post(new GraphCreate(0));
        for (int i = 0; i < steps; i++) {
            step(i, add(0, 1));
        }
        launch(0);
        launch(0);
        assertEquals(Result.SUCCESS, client.synchronize(0));
        assertEquals(2 * steps, cell(0));
    }

    @Test
    void lanesMeet() throws Exception {
        client.post(new GraphCreate(0));
        client.post(new StreamCreate(1, 1, 0));
        // 0 and 1 by themselves, both into 2, which 3 takes over.
        client.post(new GraphStep(0, 0, 0, 0, 0, bytes(add(0, 1))));
        client.post(new GraphStep(0, 0, 1, 1, 0, bytes(add(1, 1))));
        client.post(new GraphStep(0, 0, 2, 2, 0b11, bytes(new Copy(cells + 8, cells, 8, 0))));
        client.post(new GraphStep(0, 0, 3, 3, 0b100, bytes(add(2, 10))));
        client.post(
                new GraphStep(0, 0, 4, 0, 0b1000, bytes(new Copy(cells + 16, cells + 8, 8, 0))));
        for (int i = 1; i <= 50; i++) {
            launch(i % 2);
        }
        assertEquals(Result.SUCCESS, client.call(new ContextSynchronize()).result());
        assertEquals(50, cell(0));
        assertEquals(50, cell(1));
        assertEquals(60, cell(4));
        assertEquals(50, cell(5));
    }

    @Test
    void hostFunctionsAndEventsAreForEveryLaunch() throws Exception {
        client.post(new GraphCreate(0));
        client.post(new EventCreate(3, 0));
        step(0, add(0, 1));
        step(1, new HostFunction(77, 0));
        step(2, add(1, 1));
        step(3, new EventRecord(3, 0));
        for (int i = 1; i <= 3; i++) {
            launch(0);
            assertEquals(77, client.takeCallback());
            assertEquals(i, cell(0));
            assertEquals(i - 1, cell(1));
            client.post(new HostFunctionDone(77));
            assertEquals(Result.SUCCESS, client.call(new EventSynchronize(3)).result());
            assertEquals(i, cell(1));
        }
    }

    @Test
    void conditionsChoose() throws Exception {
        client.post(new GraphCreate(0));
        // while (cell 0) { cell 0 -= 1; cell 1 += 2 }, then cell 2 chooses what is added to cell 3.
        client.post(new GraphCondition(cells, 0, 0, 0, 0, 0, WHILE, 0, 0, blocks(1)));
        client.post(new GraphStep(0, 1, 0, 0, 0, bytes(add(0, -1))));
        client.post(new GraphStep(0, 1, 1, 0, 0, bytes(add(1, 2))));
        client.post(new GraphCondition(cells + 8, 0, 0, 1, 0, 0, SWITCH, 1, 1, blocks(2, 3)));
        client.post(new GraphStep(0, 2, 0, 0, 0, bytes(add(3, 5))));
        client.post(new GraphStep(0, 3, 0, 0, 0, bytes(add(3, 7))));
        client.post(new GraphCondition(cells + 8, 0, 0, 2, 0, 0, IF, 0, 0, blocks(4)));
        client.post(new GraphStep(0, 4, 0, 0, 0, bytes(add(4, 1))));
        for (int i = 1; i <= 3; i++) {
            client.post(new Fill(cells, 4, 1, 1, 20, 4, 0));
            launch(0);
            assertEquals(Result.SUCCESS, client.synchronize(0));
            assertEquals(0, cell(0));
            assertEquals(40 * i, cell(1));
            assertEquals(7 * i, cell(3));
            assertEquals(i, cell(4));
        }
    }

    @Test
    void aLoopWithoutEndEndsWithItsClient() throws Exception {
        client.post(new GraphCreate(0));
        client.post(new GraphCondition(cells, 0, 0, 0, 0, 0, WHILE, 1, 1, blocks(1)));
        launch(0);
        try (TestClient other = new TestClient(slice.socket())) {
            other.createContext();
            long place = other.allocate(0, 4096);
            other.load(0, Kernels.ADD);
            other.launch(0, 0, 1, 32, place, 32, 1);
            assertEquals(Result.SUCCESS, other.synchronize(0));
            client.close();
            Patience.await(() -> slice.sessions().size() == 1, "sessions: " + slice.sessions());
        }
    }

    @Test
    void aFaultInAGraphIsTheContexts() throws Exception {
        client.load(1, Kernels.WILD);
        client.post(new GraphCreate(0));
        step(0, new Launch(0, 1, 0, 1, 1, 1, 1, 1, 1, 0, 0, new byte[0]));
        client.post(new GraphStep(0, 0, 1, 1, 1, bytes(add(0, 1))));
        client.post(new GraphCondition(cells, 0, 0, 2, 2, 0b10, WHILE, 1, 1, blocks(1)));
        launch(0);
        assertEquals(Result.ERROR_ILLEGAL_ADDRESS, client.synchronize(0));
        launch(0);
        assertEquals(Result.ERROR_ILLEGAL_ADDRESS, client.synchronize(0));
    }

    @Test
    void whatItNamesMayBeGone() throws Exception {
        client.post(new GraphCreate(0));
        step(0, add(0, 1));
        launch(0);
        client.post(new ModuleUnload(0));
        launch(0);
        assertEquals(Result.ERROR_INVALID_HANDLE, client.synchronize(0));
        client.post(new GraphDestroy(0));
        launch(0);
        assertEquals(Result.ERROR_INVALID_HANDLE, client.synchronize(0));
        client.post(new GraphCreate(0));
        launch(0);
        assertEquals(Result.SUCCESS, client.synchronize(0));
        assertEquals(1, cell(0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "none",
                "twice",
                "gap",
                "lane",
                "waits",
                "block",
                "short",
                "type",
                "nested",
                "address",
                "length",
                "loop",
                "kind",
                "nothing",
                "condition"
            })
    void aWrongListEndsItsSession(String what) throws Exception {
        byte[] right = bytes(add(0, 1));
        if (!what.equals("none")) {
            client.post(new GraphCreate(0));
        }
        switch (what) {
            case "none" -> client.post(new GraphStep(0, 0, 0, 0, 0, right));
            case "twice" -> client.post(new GraphCreate(0));
            case "gap" -> client.post(new GraphStep(0, 0, 1, 0, 0, right));
            case "lane" -> client.post(new GraphStep(0, 0, 0, 4, 0, right));
            case "waits" -> client.post(new GraphStep(0, 0, 0, 0, -1, right));
            case "block" -> client.post(new GraphStep(0, Integer.MIN_VALUE, 0, 0, 0, right));
            case "short" -> client.post(new GraphStep(0, 0, 0, 0, 0, new byte[8]));
            case "type" -> step(0, new StreamCreate(5, 0, 0));
            case "nested" -> step(0, new GraphLaunch(0, 0));
            case "address" -> step(0, new Copy(16, cells, 4, 0));
            case "length" -> step(0, new Copy(cells, cells, Long.MAX_VALUE, 0));
            case "loop" ->
                    client.post(new GraphCondition(cells, 0, 0, 0, 0, 0, WHILE, 0, 0, blocks(0)));
            case "kind" ->
                    client.post(new GraphCondition(cells, 0, 0, 0, 0, 0, 3, 0, 0, blocks(1)));
            case "nothing" ->
                    client.post(new GraphCondition(cells, 0, 0, 0, 0, 0, IF, 0, 0, blocks()));
            case "condition" ->
                    client.post(new GraphCondition(16, 0, 0, 0, 0, 0, IF, 0, 0, blocks(1)));
            default -> throw new AssertionError(what);
        }
        assertTrue(client.isEnded());
        assertTrue(node.log().contains("broke the protocol"), node.log());
        Patience.await(() -> slice.sessions().isEmpty(), "sessions: " + slice.sessions());
        assertEquals(0, slice.memoryUsed());
    }
}
