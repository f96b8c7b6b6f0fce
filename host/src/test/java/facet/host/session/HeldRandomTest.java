package facet.host.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Allocate;
import facet.abi.Constants;
import facet.abi.ContextSynchronize;
import facet.abi.EventCreate;
import facet.abi.EventRecord;
import facet.abi.Fill;
import facet.abi.FreeAsync;
import facet.abi.Result;
import facet.abi.StreamWaitEvent;
import facet.device.cpu.CpuDevices;
import facet.host.residency.Residency;
import facet.sched.Eviction;
import facet.testkit.far.FarDevices;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Streams that write, copy, fill, launch, free and wait for each other at random, while a neighbour
 * takes the room of their memory again and again and kernels are compiled. Each finds what it must,
 * as if one command came after the other.
 */
@Timeout(300)
class HeldRandomTest {
    private static final long MIB = 1 << 20;
    private static final long DEVICE = 24 * MIB;
    private static final long PLACE = 2 * MIB;
    private static final int STREAMS = 4;
    private static final int CELLS = 64;
    private static final int KERNELS = 30;
    private static final int STEPS = 600;

    private final long seed = Long.getLong("facet.seed", 20261117);
    private final Random random = new Random(seed);
    private final CpuDevices kind = new CpuDevices();
    private final GatedDevice device =
            new GatedDevice(kind.create(kind.profile("test", DEVICE, 2), 2));
    private final Residency residency =
            new Residency("test", DEVICE, new Eviction(1_000_000, 0, 0));
    private final int[][] expected = new int[2 * STREAMS][CELLS];

    private static String module() {
        StringBuilder text = new StringBuilder(".version 8.0\n.target sm_75\n.address_size 64\n");
        for (int i = 0; i < KERNELS; i++) {
            text.append(
                    """
                    .visible .entry add%d(.param .u64 cell, .param .u32 value)
                    {
                        .reg .b32 %%r<2>; .reg .b64 %%rd<2>;
                        ld.param.u64 %%rd0, [cell];
                        ld.param.u32 %%r0, [value];
                        ld.global.u32 %%r1, [%%rd0];
                        add.s32 %%r1, %%r1, %%r0;
                        st.global.u32 [%%rd0], %%r1;
                        ret;
                    }
                    """
                            .formatted(i));
        }
        return text.toString();
    }

    /** Takes room and gives it back until it is told to end. */
    private Thread crowd(AtomicReference<Throwable> wrong) {
        return Thread.ofPlatform()
                .start(() -> {
                    try (Neighbour neighbour = new Neighbour(device, residency, DEVICE)) {
                        while (!Thread.currentThread().isInterrupted()) {
                            neighbour.take(14 * MIB);
                            assertTrue(neighbour.arrives().get());
                            Thread.sleep(2);
                            neighbour.give();
                            Thread.sleep(2);
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } catch (Exception | AssertionError e) {
                        wrong.compareAndSet(null, e);
                    }
                });
    }

    private static long address(int place, int cell) {
        return SessionClient.BASE + PLACE * place + PLACE / CELLS * cell;
    }

    private int place(int stream) {
        return 2 * stream + random.nextInt(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachStreamFindsWhatItMust(boolean far) throws Exception {
        System.out.println("seed " + seed);
        AtomicReference<Throwable> wrong = new AtomicReference<>();
        SessionClient client = new SessionClient(far ? FarDevices.of(device) : device, residency);
        Thread neighbour = crowd(wrong);
        try (client) {
            client.load(0, module());
            for (int i = 0; i < STREAMS; i++) {
                client.streams(i + 1);
                client.post(new EventCreate(i + 1, 0));
                clear(client, i, 2 * i, false);
                clear(client, i, 2 * i + 1, false);
            }
            for (int step = 0; step < STEPS; step++) {
                step(client, random.nextInt(STREAMS));
            }
            assertEquals(Result.SUCCESS, client.call(new ContextSynchronize()).result());
            for (int i = 0; i < 2 * STREAMS; i++) {
                for (int cell = 0; cell < CELLS; cell++) {
                    check(client, i / 2, i, cell);
                }
            }
        } finally {
            neighbour.interrupt();
            neighbour.join();
            System.out.println(residency.figures());
            residency.close();
            device.close();
        }
        if (wrong.get() != null) {
            throw new AssertionError("seed " + seed, wrong.get());
        }
        assertTrue(residency.figures().moves() > 20, "hardly anything moved");
        assertEquals(0, residency.figures().resident());
        assertEquals(0, residency.figures().movedOut());
        assertFalse(client.log().contains(" error "), client.log());
        assertFalse(client.log().contains("broke the protocol"), client.log());
    }

    private void step(SessionClient client, int stream) throws Exception {
        int place = place(stream);
        int cell = random.nextInt(CELLS);
        int value = random.nextInt(1000);
        switch (random.nextInt(12)) {
            case 0, 1 -> {
                client.write(stream + 1, address(place, cell), value);
                expected[place][cell] = value;
            }
            case 2, 3 -> {
                int from = place(stream);
                int other = random.nextInt(CELLS);
                client.copy(stream + 1, address(place, cell), address(from, other));
                expected[place][cell] = expected[from][other];
            }
            case 4, 5, 6, 7 -> {
                client.launch(stream + 1, random.nextInt(KERNELS), address(place, cell), value);
                expected[place][cell] += value;
            }
            case 8 -> exchange(client, stream, place, cell);
            case 9 -> {
                client.post(new FreeAsync(address(place, 0), stream + 1));
                clear(client, stream, place, true);
            }
            case 10 -> assertEquals(Result.SUCCESS, client.synchronize(stream + 1));
            default -> check(client, stream, place, cell);
        }
    }

    /** Another stream takes over a cell, in its own time, and this one waits for it. */
    private void exchange(SessionClient client, int stream, int place, int cell) throws Exception {
        int other = random.nextInt(STREAMS);
        int to = place(other);
        client.post(new EventRecord(stream + 1, stream + 1));
        client.post(new StreamWaitEvent(other + 1, stream + 1));
        client.copy(other + 1, address(to, cell), address(place, cell));
        client.post(new EventRecord(other + 1, other + 1));
        client.post(new StreamWaitEvent(stream + 1, other + 1));
        expected[to][cell] = expected[place][cell];
    }

    private void clear(SessionClient client, int stream, int place, boolean again)
            throws Exception {
        if (again) {
            client.post(new Allocate(address(place, 0), PLACE, Constants.MEMORY_DEVICE));
        } else {
            client.allocate(PLACE * place, PLACE);
        }
        int value = random.nextInt(1000);
        client.post(new Fill(address(place, 0), PLACE, PLACE / 4, 1, value, 4, stream + 1));
        Arrays.fill(expected[place], value);
    }

    private void check(SessionClient client, int stream, int place, int cell) throws Exception {
        assertEquals(
                expected[place][cell],
                client.read(stream + 1, address(place, cell)),
                "seed " + seed + ", place " + place + ", cell " + cell);
    }
}
