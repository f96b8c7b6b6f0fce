package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Command;
import facet.abi.Constants;
import facet.abi.Copy;
import facet.abi.EventCreate;
import facet.abi.EventShare;
import facet.abi.Fill;
import facet.abi.Free;
import facet.abi.Read;
import facet.abi.Result;
import facet.abi.SegmentAccess;
import facet.abi.SegmentCreate;
import facet.abi.SegmentMap;
import facet.abi.SegmentOpen;
import facet.abi.SegmentRelease;
import facet.abi.SegmentShare;
import facet.abi.SegmentUnmap;
import facet.abi.StreamWaitEvent;
import facet.abi.Write;
import facet.ring.Reply;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory at addresses of the client's choice, alone and with others. */
@Timeout(300)
class SegmentsTest {
    private static final long GRANULE = 2L << 20;
    private static final long PLACE = 0x6500_0000_0000L;
    private static final int READ = 1;
    private static final int READ_WRITE = 3;
    private static final long STAGED = 512L << 20;

    private static int call(TestClient client, Command command) throws Exception {
        return client.call(command).result();
    }

    /** A segment that kernels may read and write at an address. */
    private static void make(TestClient client, int number, long address) throws Exception {
        assertEquals(Result.SUCCESS, call(client, new SegmentCreate(GRANULE, number, 0)));
        map(client, number, address, READ_WRITE);
    }

    private static void map(TestClient client, int number, long address, int access)
            throws Exception {
        assertEquals(Result.SUCCESS, call(client, new SegmentMap(address, 0, GRANULE, number)));
        assertEquals(Result.SUCCESS, call(client, new SegmentAccess(address, GRANULE, 0, access)));
    }

    private static TestClient client(SliceServer slice) throws Exception {
        TestClient client = TestClient.withContext(slice);
        client.load(0, Kernels.ADD);
        client.pin(STAGED, 4096);
        return client;
    }

    private static int get(TestClient client, long address) throws Exception {
        assertEquals(
                Result.SUCCESS, call(client, new Read(TestClient.BASE + STAGED, address, 4, 0)));
        return client.get(STAGED);
    }

    @ParameterizedTest
    @EnumSource(
            value = TestNode.Wall.class,
            names = {"NONE", "PROCESS", "CONFINED"})
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void kernelsAndCopiesReachWhatIsMapped(TestNode.Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall)) {
            SliceServer slice = node.slice("one");
            try (TestClient client = client(slice)) {
                long before = client.taken();
                make(client, 7, PLACE);
                assertEquals(before + GRANULE, client.taken());
                client.launch(0, 0, 1, 32, PLACE + 64, 32, 5);
                client.post(new Fill(PLACE, 4, 1, 1, 9, 4, 0));
                client.post(new Copy(PLACE + GRANULE - 8, PLACE, 8, 0));
                client.post(new Write(PLACE + 1024, 0, new byte[] {1, 0, 0, 0}));
                assertEquals(Result.SUCCESS, client.synchronize(0));
                assertEquals(5, get(client, PLACE + 64));
                assertEquals(9, get(client, PLACE + GRANULE - 8));
                assertEquals(1, get(client, PLACE + 1024));
                assertEquals(Result.SUCCESS, call(client, new SegmentRelease(7, 0)));
                assertEquals(9, get(client, PLACE));
                assertEquals(Result.SUCCESS, call(client, new SegmentUnmap(PLACE, GRANULE)));
                assertEquals(before, client.taken());
                client.launch(0, 0, 1, 32, PLACE, 32, 5);
                assertEquals(Result.ERROR_ILLEGAL_ADDRESS, client.synchronize(0));
            }
        }
    }

    /** In the process they lie in the other order: one kernel, one copy over both. */
    @Test
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void whatIsMappedSideBySideIsOne() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = client(slice)) {
                make(client, 1, PLACE + GRANULE);
                make(client, 2, PLACE);
                long border = PLACE + GRANULE;
                client.post(new Fill(PLACE, 2 * GRANULE, 2 * GRANULE / 4, 1, 3, 4, 0));
                client.launch(0, 0, 32, 32, border - 2044, 1024, 4);
                assertEquals(Result.SUCCESS, client.synchronize(0));
                assertEquals(7, get(client, border - 4));
                assertEquals(7, get(client, border));
                assertEquals(3, get(client, border + 2056));
                // Behind an unmapped one nothing is one any more.
                assertEquals(Result.SUCCESS, call(client, new SegmentUnmap(border, GRANULE)));
                assertEquals(7, get(client, border - 4));
                assertEquals(
                        Result.ERROR_INVALID_VALUE,
                        call(client, new Read(TestClient.BASE + STAGED, border - 4, 8, 0)));
                client.launch(0, 0, 32, 32, border - 2044, 1024, 4);
                assertEquals(Result.ERROR_ILLEGAL_ADDRESS, client.synchronize(0));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"kernel", "fill", "copy", "write", "none"})
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void rightsAreObeyed(String how) throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = client(slice)) {
                assertEquals(Result.SUCCESS, call(client, new SegmentCreate(GRANULE, 1, 0)));
                map(client, 1, PLACE, how.equals("none") ? 0 : READ);
                if (!how.equals("none")) {
                    assertEquals(0, get(client, PLACE));
                }
                long own = client.allocate(0, 4096);
                switch (how) {
                    case "kernel" -> client.launch(0, 0, 1, 32, PLACE, 32, 5);
                    case "fill" -> client.post(new Fill(PLACE, 4, 1, 1, 9, 4, 0));
                    case "copy" -> client.post(new Copy(PLACE, own, 8, 0));
                    case "write" -> client.post(new Write(PLACE, 0, new byte[4]));
                    default -> client.post(new Copy(own, PLACE, 8, 0));
                }
                assertEquals(Result.ERROR_ILLEGAL_ADDRESS, client.synchronize(0));
            }
        }
    }

    private static final class Name {
        final long high;
        final long low;

        Name(Reply reply) {
            assertEquals(Result.SUCCESS, reply.result());
            high = reply.payload()[0];
            low = reply.payload()[1];
        }

        SegmentOpen open(int number, boolean allocation) {
            return new SegmentOpen(high, low, number, allocation ? 1 : 0);
        }
    }

    private static void await(LongSupplier figure, long expected) throws Exception {
        long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (figure.getAsLong() != expected && System.nanoTime() < end) {
            Thread.sleep(5);
        }
        assertEquals(expected, figure.getAsLong());
    }

    @ParameterizedTest
    @EnumSource(
            value = TestNode.Wall.class,
            names = {"NONE", "PROCESS"})
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void anotherSessionHasItWhenItsMakerIsGone(TestNode.Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall)) {
            SliceServer slice = node.slice("one");
            try (TestClient user = client(slice)) {
                long before = user.claimed();
                try (TestClient maker = client(slice)) {
                    make(maker, 1, PLACE);
                    maker.launch(0, 0, 1, 32, PLACE, 32, 5);
                    assertEquals(Result.SUCCESS, maker.synchronize(0));
                    Name name = new Name(maker.call(new SegmentShare(0, 1)));
                    assertEquals(Result.SUCCESS, call(user, name.open(4, false)));
                    map(user, 4, PLACE + 8 * GRANULE, READ_WRITE);
                    user.launch(0, 0, 1, 32, PLACE + 8 * GRANULE, 32, 6);
                    assertEquals(Result.SUCCESS, user.synchronize(0));
                    assertEquals(11, get(maker, PLACE));
                    assertEquals(before, user.claimed());
                }
                await(user::claimed, before + GRANULE); // who is left pays
                await(user::taken, before + GRANULE);
                user.launch(0, 0, 1, 32, PLACE + 8 * GRANULE, 32, 7);
                assertEquals(Result.SUCCESS, user.synchronize(0));
                assertEquals(18, get(user, PLACE + 8 * GRANULE));
                assertEquals(Result.SUCCESS, call(user, new SegmentRelease(4, 0)));
                assertEquals(
                        Result.SUCCESS, call(user, new SegmentUnmap(PLACE + 8 * GRANULE, GRANULE)));
                assertEquals(before, user.taken());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TestNode.Wall.class,
            names = {"NONE", "PROCESS"})
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void anAllocationStaysWhileOthersHaveItOpen(TestNode.Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall)) {
            SliceServer slice = node.slice("one");
            try (TestClient user = client(slice)) {
                long before = user.claimed();
                try (TestClient maker = client(slice)) {
                    long cells = maker.allocate(256, 4096);
                    maker.launch(0, 0, 1, 32, cells, 32, 5);
                    assertEquals(Result.SUCCESS, maker.synchronize(0));
                    Name name = new Name(maker.call(new SegmentShare(cells, 1)));
                    assertEquals(Result.ERROR_INVALID_HANDLE, call(user, name.open(4, false)));
                    assertEquals(Result.ERROR_INVALID_CONTEXT, call(maker, name.open(4, true)));
                    assertEquals(Result.SUCCESS, call(user, name.open(4, true)));
                    assertEquals(Result.SUCCESS, call(user, new SegmentMap(PLACE, 0, 4096, 4)));
                    assertEquals(
                            Result.SUCCESS,
                            call(user, new SegmentAccess(PLACE, 4096, 0, READ_WRITE)));
                    user.launch(0, 0, 1, 32, PLACE, 32, 6);
                    assertEquals(Result.SUCCESS, user.synchronize(0));
                    assertEquals(11, get(maker, cells));
                    assertEquals(Result.ERROR_NOT_READY, call(maker, new SegmentRelease(1, 1)));
                    // An honest client does not free it then.
                    maker.post(new Free(cells));
                    assertTrue(maker.isEnded());
                }
                await(user::claimed, before + 4096);
                await(user::taken, before + 4096);
                user.launch(0, 0, 1, 32, PLACE, 32, 7);
                assertEquals(Result.SUCCESS, user.synchronize(0));
                assertEquals(18, get(user, PLACE));
                // Beside it there was nothing of the other one's.
                user.launch(0, 0, 1, 32, PLACE + 4096, 32, 7);
                assertEquals(Result.ERROR_ILLEGAL_ADDRESS, user.synchronize(0));
                assertEquals(Result.SUCCESS, call(user, new SegmentUnmap(PLACE, 4096)));
                assertEquals(Result.SUCCESS, call(user, new SegmentRelease(4, 0)));
                assertEquals(before, user.taken());
            }
        }
    }

    @Test
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void anotherSliceCannotOpenIt() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            SliceServer strange = node.slice("two");
            try (TestClient maker = client(slice);
                    TestClient stranger = client(strange)) {
                make(maker, 1, PLACE);
                Name name = new Name(maker.call(new SegmentShare(0, 1)));
                Name own = new Name(maker.call(new SegmentShare(maker.allocate(256, 256), 2)));
                maker.post(new EventCreate(3, Constants.EVENT_NO_TIMING));
                Name event = new Name(maker.call(new EventShare(0, 0, 3, 0)));
                assertEquals(Result.ERROR_INVALID_HANDLE, call(stranger, name.open(1, false)));
                assertEquals(Result.ERROR_INVALID_HANDLE, call(stranger, own.open(1, true)));
                assertEquals(
                        Result.ERROR_INVALID_HANDLE,
                        call(stranger, new EventShare(event.high, event.low, 5, 1)));
                assertEquals(Result.SUCCESS, stranger.synchronize(0));
            }
        }
    }

    @Test
    void anEventIsRecordedByOneAndAwaitedByAnother() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient maker = client(slice);
                    TestClient user = client(slice)) {
                maker.post(new EventCreate(3, Constants.EVENT_NO_TIMING));
                Name event = new Name(maker.call(new EventShare(0, 0, 3, 0)));
                assertEquals(
                        Result.SUCCESS, call(user, new EventShare(event.high, event.low, 5, 1)));
                long flag = maker.pin(STAGED + 4096, 4096);
                maker.load(1, Kernels.SPIN);
                maker.launchOf(1, 0, 0, 1, 1, flag);
                maker.post(new facet.abi.EventRecord(3, 0));
                assertEquals(Result.ERROR_NOT_READY, call(maker, new facet.abi.EventQuery(3)));
                assertEquals(Result.ERROR_NOT_READY, call(user, new facet.abi.EventQuery(5)));
                long cells = user.allocate(0, 4096);
                user.post(new StreamWaitEvent(0, 5));
                user.launch(0, 0, 1, 32, cells, 32, 5);
                assertEquals(Result.ERROR_NOT_READY, call(user, new facet.abi.StreamQuery(0)));
                maker.set(STAGED + 4096, 1);
                assertEquals(Result.SUCCESS, user.synchronize(0));
                assertEquals(Result.SUCCESS, call(user, new facet.abi.EventSynchronize(5)));
                assertEquals(5, user.get(0));
            }
        }
    }

    /** Who waits for an event of a session that ends goes on. */
    @Test
    void anEventOfASessionThatEndsIsReached() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient user = client(slice)) {
                try (TestClient maker = client(slice)) {
                    maker.post(new EventCreate(3, Constants.EVENT_NO_TIMING));
                    Name event = new Name(maker.call(new EventShare(0, 0, 3, 0)));
                    assertEquals(
                            Result.SUCCESS,
                            call(user, new EventShare(event.high, event.low, 5, 1)));
                    long flag = maker.pin(STAGED + 4096, 4096);
                    maker.load(1, Kernels.SPIN);
                    maker.launchOf(1, 0, 0, 1, 1, flag);
                    maker.post(new facet.abi.EventRecord(3, 0));
                    assertEquals(Result.ERROR_NOT_READY, call(maker, new facet.abi.EventQuery(3)));
                    user.post(new StreamWaitEvent(0, 5));
                }
                assertEquals(Result.SUCCESS, user.synchronize(0));
                assertEquals(Result.SUCCESS, call(user, new facet.abi.EventSynchronize(5)));
            }
        }
    }

    @Test
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void nothingOfItIsHadTwice() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one", 16 << 20);
            try (TestClient client = client(slice);
                    TestClient other = client(slice)) {
                long left = client.limit() - client.taken();
                int count = (int) (left / GRANULE);
                for (int i = 0; i < count; i++) {
                    assertEquals(
                            Result.SUCCESS,
                            call(i % 2 == 0 ? client : other, new SegmentCreate(GRANULE, i, 0)));
                }
                assertEquals(
                        Result.ERROR_OUT_OF_MEMORY,
                        call(client, new SegmentCreate(GRANULE, count, 0)));
                Name name = new Name(client.call(new SegmentShare(0, 0)));
                long taken = client.taken();
                assertEquals(Result.SUCCESS, call(other, name.open(100, false)));
                assertEquals(taken, client.taken()); // it counts once
                assertEquals(Result.SUCCESS, call(client, new SegmentRelease(0, 0)));
                assertEquals(taken, client.taken());
                assertEquals(Result.SUCCESS, call(other, new SegmentRelease(100, 0)));
                assertEquals(taken - GRANULE, client.taken());
                assertEquals(Result.SUCCESS, call(client, new SegmentCreate(GRANULE, 0, 0)));
            }
        }
    }

    @Test
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void whatMakesNoSenseIsRefused() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = client(slice)) {
                make(client, 1, PLACE);
                long most = Long.MAX_VALUE / GRANULE * GRANULE;
                Command[] wrong = {
                    new SegmentCreate(0, 2, 0),
                    new SegmentCreate(-GRANULE, 2, 0),
                    new SegmentCreate(GRANULE + 4096, 2, 0),
                    new SegmentMap(PLACE, 0, GRANULE, 1),
                    new SegmentMap(PLACE + GRANULE, GRANULE, GRANULE, 1),
                    new SegmentMap(PLACE + GRANULE, -GRANULE, GRANULE, 1),
                    new SegmentMap(PLACE + GRANULE, most, GRANULE, 1),
                    new SegmentMap(PLACE + GRANULE, 0, most, 1),
                    new SegmentMap(PLACE + GRANULE, 0, 0, 1),
                    new SegmentMap(PLACE + GRANULE, 0, GRANULE, 9),
                    new SegmentMap(PLACE + GRANULE + 1, 0, GRANULE, 1),
                    new SegmentMap(0, 0, GRANULE, 1),
                    new SegmentMap(-GRANULE, 0, GRANULE, 1),
                    new SegmentMap(most, 0, GRANULE, 1),
                    new SegmentMap((1L << 47) - 4096, 0, GRANULE, 1),
                    new SegmentAccess(PLACE, GRANULE / 2, 0, READ),
                    new SegmentAccess(PLACE, 2 * GRANULE, 0, READ),
                    new SegmentAccess(PLACE, -GRANULE, 0, READ),
                    new SegmentAccess(PLACE, GRANULE, 99, READ),
                    new SegmentAccess(PLACE, GRANULE, -1, READ),
                    new SegmentAccess(PLACE, GRANULE, 0, 2),
                    new SegmentAccess(PLACE, GRANULE, 0, 8),
                    new SegmentUnmap(PLACE, GRANULE / 2),
                    new SegmentUnmap(PLACE, 2 * GRANULE),
                    new SegmentUnmap(PLACE + GRANULE, GRANULE),
                    new SegmentUnmap(PLACE, most),
                    new SegmentUnmap(PLACE, 0),
                    new SegmentRelease(77, 0),
                    new SegmentShare(0, 77),
                    new SegmentShare(PLACE, 3),
                    new SegmentShare(TestClient.BASE + STAGED, 3),
                };
                for (Command each : wrong) {
                    assertEquals(
                            Result.ERROR_INVALID_VALUE, call(client, each), () -> each.toString());
                }
                assertEquals(
                        Result.ERROR_OUT_OF_MEMORY, call(client, new SegmentCreate(most, 2, 0)));
                assertEquals(
                        Result.ERROR_INVALID_DEVICE,
                        call(client, new SegmentCreate(GRANULE, 2, 9)));
                assertEquals(0, get(client, PLACE));
            }
        }
    }

    /** Programs come and go without letting go of anything. */
    @Test
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void whatIsLeftBehindGoes() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient last = client(slice)) {
                long before = last.taken();
                for (int i = 0; i < 20; i++) {
                    try (TestClient client = client(slice)) {
                        make(client, 1, PLACE);
                        make(client, 2, PLACE + 4 * GRANULE);
                        map(client, 1, PLACE + GRANULE, READ);
                        client.load(1, Kernels.LOOP);
                        client.launchOf(1, 0, 0, 1, 1, PLACE, 1L << 60);
                        client.post(new Fill(PLACE, 4, 1, 1, 9, 4, 0));
                    }
                }
                await(last::taken, before);
            }
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "facet.far", matches = "true")
    void memoryThatCannotBeMappedSaysSo() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = client(slice)) {
                assertEquals(
                        Result.ERROR_NOT_SUPPORTED, call(client, new SegmentCreate(GRANULE, 1, 0)));
                long cells = client.allocate(0, 4096);
                assertEquals(Result.ERROR_NOT_SUPPORTED, call(client, new SegmentShare(cells, 1)));
            }
        }
    }
}
