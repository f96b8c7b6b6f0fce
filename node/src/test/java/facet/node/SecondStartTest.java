package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Result;
import facet.node.server.Kernels;
import facet.node.server.TestClient;
import java.io.BufferedReader;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whether a program that is started again has the worker that it had: --share-code says so. */
@Timeout(300)
class SecondStartTest extends DaemonAsProcess {
    /** As facet-run does: the slice is there as long as the connection. */
    private long run(String name) throws Exception {
        long worker;
        try (SocketChannel control =
                        SocketChannel.open(
                                UnixDomainSocketAddress.of(runtime().resolve("control")));
                BufferedReader lines =
                        new BufferedReader(Channels.newReader(control, StandardCharsets.UTF_8))) {
            control.write(
                    ByteBuffer.wrap(
                            ("run name=" + name + " memory=32M\n")
                                    .getBytes(StandardCharsets.UTF_8)));
            String made = String.valueOf(lines.readLine());
            assertTrue(made.contains("\"ok\":true"), made);
            worker = compute(name);
        }
        await(() -> !ask("slices").contains("slices/" + name + "/socket"), "its slice stays");
        return worker;
    }

    private long compute(String slice) throws Exception {
        try (TestClient client =
                new TestClient(runtime().resolve("slices/" + slice + "/socket"), "compute")) {
            assertEquals(Result.SUCCESS, client.createContext().result());
            long cells = client.allocate(0, 4096);
            assertEquals(Result.SUCCESS, client.load(0, Kernels.ADD).result());
            client.launch(0, 0, 1, 32, cells, 32, 5);
            assertEquals(Result.SUCCESS, client.synchronize(0));
            assertEquals(5, client.get(0));
            String slices = ask("slices");
            String after = slices.substring(slices.indexOf("slices/" + slice + "/socket"));
            return Long.parseLong(after.replaceFirst("(?s).*?\"workerPid\":(\\d+).*", "$1"));
        }
    }

    /** The log keeps what was said before: it is to be said so often. */
    private void awaitKept(long worker, int times) throws Exception {
        String kept = "worker " + worker + " is kept";
        await(() -> log().split(kept, -1).length > times, "it is not kept");
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private void await(Condition condition, String otherwise) throws Exception {
        long end = System.nanoTime() + TestClient.PATIENCE.toNanos();
        while (!condition.holds()) {
            assertTrue(System.nanoTime() < end, otherwise + "\n" + log());
            Thread.sleep(5);
        }
    }

    private void start(String sharing) throws Exception {
        Process _ =
                start(
                        "--isolation",
                        "process",
                        "--warm-workers",
                        "0",
                        "--share-code",
                        sharing,
                        "--worker-idle",
                        "300s",
                        "--debug");
    }

    @Test
    void programsOfOneUserHaveTheWorkerOfThoseBefore() throws Exception {
        start("user");
        long worker = run("run");
        awaitKept(worker, 1);
        // A slice that stays is nobody's: it gets none, and leaves none behind.
        assertTrue(ask("slice-create name=kept memory=32M").contains("created"));
        long own = compute("kept");
        assertNotEquals(worker, own);
        assertTrue(ask("slice-delete name=kept force=true").contains("deleted"));
        assertEquals(worker, run("run"));
        awaitKept(worker, 2);
        assertEquals(worker, run("other"));
        assertFalse(log().contains("worker " + own + " is kept"), log());
    }

    @Test
    void whereCodeIsASlicesOwnEachHasANewOne() throws Exception {
        start("slice");
        long first = run("run");
        assertNotEquals(first, run("run"));
        assertFalse(log().contains("is kept"), log());
    }

    @Test
    void whereCodeIsEverybodysSlicesThatStayHaveItToo() throws Exception {
        start("all");
        assertTrue(ask("slice-create name=kept memory=32M").contains("created"));
        long first = compute("kept");
        assertTrue(ask("slice-delete name=kept force=true").contains("deleted"));
        awaitKept(first, 1);
        assertEquals(first, run("run"));
    }
}
