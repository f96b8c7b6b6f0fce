package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import facet.abi.Command;
import facet.abi.Constants;
import facet.abi.EventCreate;
import facet.abi.ReplySlotLayout;
import facet.abi.Result;
import facet.abi.SessionHeaderLayout;
import facet.ring.RingWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions of clients that send anything, beside one that must not notice. */
@Timeout(300)
class RandomCommandsTest {
    private static final VarHandle STATE = ValueLayout.JAVA_INT.varHandle();

    @Test
    void randomCommandsAndMutatedBytes() throws Exception {
        long seed = Long.getLong("facet.seed", 20261117);
        System.out.println("seed " + seed + " (-Dfacet.seed=" + seed + " repeats it)");
        Random random = new Random(seed);
        int wanted = Integer.getInteger("facet.fuzz.records", 30_000);
        try (TestNode node = new TestNode()) {
            SliceServer attacked = node.slice("attacked");
            SliceServer quiet = node.slice("quiet");
            AtomicBoolean done = new AtomicBoolean();
            AtomicReference<Throwable> wrong = new AtomicReference<>();
            Thread honest =
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    HonestProgram.run(quiet, done);
                                } catch (Throwable e) {
                                    wrong.set(e);
                                }
                            });
            int sent = 0;
            int sessions = 0;
            while (sent < wanted && wrong.get() == null) {
                sent += attack(attacked, random);
                sessions++;
            }
            done.set(true);
            honest.join();
            if (wrong.get() != null) {
                throw new AssertionError("seed " + seed, wrong.get());
            }
            Patience.awaitSessions(attacked, 0);
            assertEquals(0, attacked.memoryUsed());
            try (TestClient after = new TestClient(attacked.socket())) {
                assertEquals(0, after.taken());
                assertEquals(Result.SUCCESS, after.createContext().result());
                assertEquals(Result.SUCCESS, after.load(0, Kernels.ADD).result());
            }
            System.out.println(sent + " records in " + sessions + " sessions");
            assertFalse(node.log().contains(" error ["), node.log());
            assertFalse(node.log().contains("\u001b"), "control characters in the log");
        }
    }

    /** One session of a client that means no good. */
    private static int attack(SliceServer slice, Random random) throws Exception {
        int wrongOf = 50 << random.nextInt(6);
        RandomCommands commands = new RandomCommands(random, wrongOf);
        try (TestClient client = new TestClient(slice.socket())) {
            client.createContext();
            client.load(0, Kernels.ADD);
            client.allocate(0, 4096);
            client.allocate(4096, 4096);
            client.post(new EventCreate(0, 0));
            if (random.nextBoolean()) {
                client.load(1, Kernels.WILD);
            }
            MemorySegment memory = client.side.segment();
            RingWriter ring = client.ring();
            long sequence = client.sent;
            int sent = 0;
            for (; sent < 1000; sent++) {
                Command command = commands.next();
                int slot = 0;
                if (RandomCommands.waits(command)) {
                    slot =
                            random.nextInt(4 * wrongOf) == 0
                                    ? 1 + random.nextInt(64)
                                    : 1 + freeSlot(memory);
                    if (slot == 0) {
                        continue;
                    }
                }
                byte[] record =
                        command.encode(slot, ++sequence, random.nextInt(wrongOf) == 0 ? 1 : 0);
                if (random.nextInt(4 * wrongOf) == 0) {
                    mutate(random, record);
                }
                if (random.nextInt(4 * wrongOf) == 0) {
                    scribble(random, memory);
                }
                MemorySegment bytes = MemorySegment.ofArray(record);
                bytes.set(ValueLayout.JAVA_INT_UNALIGNED, 0, record.length);
                if (!ring.offer(bytes)
                        || sent % 16 == 0 && client.connection.awaitReadable(Duration.ZERO)) {
                    break;
                }
            }
            return sent;
        }
    }

    /** A slot where nobody waits, marked as waited at; -1 when there is none. */
    private static int freeSlot(MemorySegment memory) {
        int replies = memory.get(ValueLayout.JAVA_INT, SessionHeaderLayout.REPLY_OFFSET_OFFSET);
        for (int slot = 0; slot < Constants.REPLY_SLOTS; slot++) {
            long state = replies + (long) slot * ReplySlotLayout.BYTES;
            if (state < 0 || state > memory.byteSize() - 4 || state % 4 != 0) {
                return -1;
            }
            int now = (int) STATE.getVolatile(memory, state);
            if (now == Constants.REPLY_FREE || now == Constants.REPLY_DONE) {
                STATE.setVolatile(memory, state, Constants.REPLY_PENDING);
                return slot;
            }
        }
        return -1;
    }

    private static void mutate(Random random, byte[] record) {
        for (int i = 0; i <= random.nextInt(3); i++) {
            record[4 + random.nextInt(record.length - 4)] = (byte) random.nextInt();
        }
    }

    /** Writes into reply slots, statuses, headers, rings: the host must not believe any of it. */
    private static void scribble(Random random, MemorySegment memory) {
        int callbacks =
                memory.get(ValueLayout.JAVA_INT, SessionHeaderLayout.CALLBACK_OFFSET_OFFSET);
        if (random.nextInt(4) == 0 && callbacks > 0 && callbacks < memory.byteSize() - 256) {
            memory.set(
                    ValueLayout.JAVA_BYTE,
                    callbacks + random.nextInt(256),
                    (byte) random.nextInt());
        }
        int end = memory.get(ValueLayout.JAVA_INT, SessionHeaderLayout.COMMAND_OFFSET_OFFSET);
        if (end > 4096 && end < memory.byteSize()) {
            memory.set(
                    ValueLayout.JAVA_BYTE,
                    128 + random.nextInt(end - 128),
                    (byte) random.nextInt());
        }
    }
}
