package facet.host.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import facet.abi.CudaCommand;
import facet.abi.Read;
import facet.abi.Result;
import facet.abi.SegmentAccess;
import facet.abi.SegmentCreate;
import facet.abi.SegmentMap;
import facet.abi.SegmentRelease;
import facet.abi.SegmentUnmap;
import facet.device.cpu.CpuDevices;
import facet.host.residency.Residency;
import facet.ring.Reply;
import facet.sched.Eviction;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A read is answered and not counted, and keeps what it reads mapped all the same. */
@Timeout(120)
class ReadsOfMappingsTest {
    private static final long BYTES = 2 << 20;
    private static final long DEVICE = 64 << 20;
    private static final long PLACE = 0x6400_0000_0000L;
    private static final int SEGMENT = 5;
    private static final int READS_AND_WRITES = 3;

    /** Long enough for an answer that was on its way. */
    private static final long MOMENT_MILLIS = 100;

    @Test
    void whatIsReadStaysUntilTheReadHasEnded() throws Exception {
        CpuDevices kind = new CpuDevices();
        GatedDevice device = new GatedDevice(kind.create(kind.profile("test", DEVICE, 2), 2));
        Residency residency = new Residency("test", DEVICE, new Eviction(0, 0, 0));
        try (SessionClient client = new SessionClient(device, residency)) {
            client.streams(1);
            long own = client.allocate(0, 4096);
            assertEquals(Result.SUCCESS, result(client, new SegmentCreate(BYTES, SEGMENT, 0)));
            assertEquals(Result.SUCCESS, result(client, new SegmentMap(PLACE, 0, BYTES, SEGMENT)));
            assertEquals(Result.SUCCESS, result(client, access()));
            Gate gate = device.beforeCopies();
            CompletableFuture<Reply> read = client.callLater(new Read(own, PLACE, 64, 1));
            gate.awaitArrival();
            CompletableFuture<Reply> unmap = client.callLater(new SegmentUnmap(PLACE, BYTES));
            while (result(client, access()) == Result.SUCCESS) {
                Thread.onSpinWait(); // until the session has taken the command
            }
            Thread.sleep(MOMENT_MILLIS);
            assertFalse(unmap.isDone(), "it is unmapped beneath a read");
            gate.open();
            assertEquals(Result.SUCCESS, read.get().result());
            assertEquals(Result.SUCCESS, unmap.get().result());
            assertEquals(Result.SUCCESS, result(client, new SegmentRelease(SEGMENT, 0)));
        } finally {
            residency.close();
            device.close();
        }
    }

    private static SegmentAccess access() {
        return new SegmentAccess(PLACE, BYTES, 0, READS_AND_WRITES);
    }

    private static int result(SessionClient client, CudaCommand command) throws Exception {
        return client.call(command).result();
    }
}
