package facet.host.stress;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import facet.abi.HostFunction;
import facet.abi.HostFunctionDone;
import facet.abi.RecordHeaderLayout;
import facet.abi.Touch;
import facet.abi.Unsupported;
import facet.host.stress.Load.Phase;
import facet.ring.MalformedRecord;
import facet.ring.RingReader;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;

/** Reads the command ring. Every record comes once, whole, and in the order of its thread. */
final class CommandChecker {
    private static final int THREAD_OFFSET = RecordHeaderLayout.BYTES;
    private static final int NUMBER_OFFSET = THREAD_OFFSET + 4;
    private static final int HOLD_ONE_IN = 10_000;

    private final Load load;
    private final Draws draws;
    private final Shared shared;
    private final RingReader reader;
    private final Answers answers;
    private final Callbacks callbacks;
    private final List<Moves> moves;
    private final int[] next = new int[Load.CROWD + 1];
    private final Random random;
    private Phase phase = Phase.FLOOD;
    private boolean crowded;
    private long sequence;
    private long flooded;
    private int held;

    CommandChecker(
            Load load,
            Shared shared,
            RingReader reader,
            Answers answers,
            Callbacks callbacks,
            List<Moves> moves) {
        this.load = load;
        this.shared = shared;
        this.reader = reader;
        this.answers = answers;
        this.callbacks = callbacks;
        this.moves = moves;
        draws = new Draws(load.seed(), load.ringBytes() / 2);
        random = new Random(load.seed());
    }

    /** The work of its thread; until the reader is closed. */
    void run() throws MalformedRecord, InterruptedException {
        MemorySegment record = reader.take();
        while (record != null) {
            check(record);
            record = reader.take();
        }
    }

    /** How many records a thread has sent; when the thread that reads has ended. */
    int records(int thread) {
        return next[thread];
    }

    long records() {
        return sequence;
    }

    /** How often the writer was let run full. */
    int held() {
        return held;
    }

    private void check(MemorySegment record) throws InterruptedException {
        sequence++;
        equal(sequence, record.get(JAVA_LONG, RecordHeaderLayout.SEQUENCE_OFFSET), "sequence");
        int slot = record.get(JAVA_SHORT, RecordHeaderLayout.SLOT_OFFSET);
        int context = record.get(JAVA_INT, RecordHeaderLayout.CONTEXT_OFFSET);
        switch (record.get(JAVA_SHORT, RecordHeaderLayout.TYPE_OFFSET)) {
            case Touch.TYPE -> moves.get(context).touch(slot, sequence);
            case HostFunction.TYPE ->
                    callbacks.add(record.get(JAVA_LONG, RecordHeaderLayout.BYTES));
            case HostFunctionDone.TYPE ->
                    callbacks.done(record.get(JAVA_LONG, RecordHeaderLayout.BYTES));
            case Unsupported.TYPE -> checkOwn(record, slot, Phase.of(context));
            default -> throw new AssertionError("a record of an unknown type, " + sequence);
        }
    }

    private void checkOwn(MemorySegment record, int slot, Phase phase) throws InterruptedException {
        int thread = record.get(JAVA_INT, THREAD_OFFSET);
        int number = record.get(JAVA_INT, NUMBER_OFFSET);
        equal(next[thread], number, "number of a record of thread " + thread);
        next[thread]++;
        long draw = draws.draw(thread, number);
        int words = draws.words(draw);
        equal(Draws.FIXED_BYTES + 8L * words, record.byteSize(), "length");
        for (int i = 0; i < words; i++) {
            long found = record.get(JAVA_LONG, Draws.FIXED_BYTES + 8L * i);
            if (found != draw + i * Draws.STEP) {
                equal(draw + i * Draws.STEP, found, "word " + i + " of record " + sequence);
            }
        }
        if (thread == Load.CROWD) {
            begin(phase);
            answers.addAlone(slot, sequence, Draws.result(draw), Draws.payload(draw));
        } else {
            equal(this.phase.number(), phase.number(), "phase");
            if (phase == Phase.CROWD && !crowded) {
                crowded = true;
                answers.holdUntilFull();
            }
            if (slot != 0) {
                answers.add(slot, sequence, Draws.result(draw), Draws.payload(draw));
            } else if (phase == Phase.FLOOD) {
                flood();
            }
        }
    }

    /** Nobody but the main thread sends anything now. */
    private void begin(Phase next) throws InterruptedException {
        phase = next;
        for (Moves each : moves) {
            each.want(next.moves());
        }
        if (next == Phase.MIXED) {
            callbacks.mixed();
        }
    }

    /**
     * Now and then nothing is read until the writer sleeps: what is still to come fills the ring.
     */
    private void flood() throws InterruptedException {
        flooded++;
        long left = (long) load.threads() * load.posts() - flooded;
        long full = load.ringBytes() / Draws.FIXED_BYTES;
        if (left > full && (held == 0 || random.nextInt(HOLD_ONE_IN) == 0)) {
            Shared.await(shared.commands::writerSleeps);
            held++;
        }
    }

    private static void equal(long expected, long actual, String what) {
        if (expected != actual) {
            throw new AssertionError(what + " is " + actual + ", not " + expected);
        }
    }
}
