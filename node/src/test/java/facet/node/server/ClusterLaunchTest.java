package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Fill;
import facet.abi.FunctionRecordLayout;
import facet.abi.GraphCreate;
import facet.abi.GraphLaunch;
import facet.abi.GraphStep;
import facet.abi.LaunchClusters;
import facet.abi.ModuleAnswerLayout;
import facet.abi.Result;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Launches that name a cluster, and clusters that no honest client names. */
@Timeout(300)
class ClusterLaunchTest {
    /**
     * Adds the number of blocks of its cluster to a cell, by way of the last block. The text may
     * name any target; that of the device of this test has no clusters.
     */
    private static final String PTX =
            """
            .version 9.0
            .target sm_75
            .address_size 64
            .visible .entry count(.param .u64 cell)
            {
              .reg .u32 %last, %far, %v, %rank; .reg .u64 %c; .reg .pred %p;
              .shared .align 4 .u32 sum;
              mov.u32 %rank, %cluster_ctarank;
              mov.u32 %last, %cluster_nctarank;
              sub.u32 %last, %last, 1;
              mov.u32 %v, 0;
              st.shared.u32 [sum], %v;
              barrier.cluster.arrive; barrier.cluster.wait;
              mapa.shared::cluster.u32 %far, sum, %last;
              red.shared::cluster.add.u32 [%far], 1;
              barrier.cluster.arrive; barrier.cluster.wait;
              setp.ne.u32 %p, %rank, %last;
              @%p exit;
              ld.shared.u32 %v, [sum];
              ld.param.u64 %c, [cell];
              red.global.add.u32 [%c], %v;
              ret;
            }
            .visible .entry pairs(.param .u64 cell) .reqnctapercluster 2, 1, 1 { ret; }
            """;

    private static final List<int[]> IMPOSSIBLE =
            List.of(
                    new int[] {0, 1, 1},
                    new int[] {3, 1, 1},
                    new int[] {32, 1, 1},
                    new int[] {-1, 1, 1},
                    new int[] {-1, -1, 1},
                    new int[] {1 << 16, 1 << 16, 1},
                    new int[] {1 << 31, 2, 1},
                    new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE},
                    new int[] {4, 4, 4});

    private final TestNode node;
    private final TestClient client;
    private long cells;

    ClusterLaunchTest() throws Exception {
        node = new TestNode();
        client = new TestClient(node.slice("one").socket());
    }

    @BeforeEach
    void prepare() throws Exception {
        assertEquals(Result.SUCCESS, client.createContext().result());
        cells = client.allocate(0, 4096);
        int loaded = client.load(0, PTX.getBytes(StandardCharsets.UTF_8)).result();
        assertEquals(Result.SUCCESS, loaded, loaded == Result.SUCCESS ? "" : client.lastLog());
        client.post(new Fill(cells, 4096, 1024, 1, 0, 4, 0));
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        node.close();
    }

    private LaunchClusters launch(int function, int... cluster) {
        byte[] arguments =
                ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(cells).array();
        return new LaunchClusters(
                0,
                0,
                function,
                32,
                1,
                1,
                1,
                1,
                1,
                0,
                0,
                cluster[0],
                cluster[1],
                cluster[2],
                arguments);
    }

    @Test
    void launchesAndSteps() throws Exception {
        client.post(launch(0, 8, 1, 1));
        assertEquals(Result.SUCCESS, client.synchronize(0));
        assertEquals(32, client.get(0));
        client.post(new GraphCreate(0));
        client.post(new GraphStep(0, 0, 0, 0, 0, launch(0, 16, 1, 1).encode(0, 0, 0)));
        client.post(new GraphLaunch(0, 0));
        client.post(new GraphLaunch(0, 0));
        assertEquals(Result.SUCCESS, client.synchronize(0));
        assertEquals(3 * 32, client.get(0));
    }

    @Test
    void theClientLearnsWhatAKernelNeeds() {
        int[] seen = new int[2];
        for (int i = 0; i < 2; i++) {
            long record = ModuleAnswerLayout.BYTES + (long) i * FunctionRecordLayout.BYTES;
            seen[i] =
                    client.lastAnswer()
                            .get(
                                    ValueLayout.JAVA_INT,
                                    record + FunctionRecordLayout.CLUSTER_OFFSET);
        }
        assertEquals(0, seen[0]);
        assertEquals(0x0001_0102, seen[1]);
    }

    @Test
    void clustersThatCannotBe() throws Exception {
        for (int[] each : IMPOSSIBLE) {
            client.post(launch(0, each));
            assertEquals(Result.ERROR_INVALID_CLUSTER_SIZE, client.synchronize(0));
        }
        client.post(launch(1, 4, 1, 1));
        assertEquals(Result.ERROR_INVALID_CLUSTER_SIZE, client.synchronize(0), "it has pairs");
        client.post(new GraphCreate(0));
        client.post(new GraphStep(0, 0, 0, 0, 0, launch(0, -1, -1, -1).encode(0, 0, 0)));
        client.post(new GraphLaunch(0, 0));
        assertTrue(client.synchronize(0) != Result.SUCCESS);
        client.post(launch(0, 1, 1, 1));
        assertEquals(Result.SUCCESS, client.synchronize(0), "the context lives");
        assertEquals(32, client.get(0));
    }
}
