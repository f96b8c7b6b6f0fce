package facet.doors.http;

import io.helidon.http.Header;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers that many ask for at once: made once, packed once, and given to all for a moment. One is
 * made at a time, so that however many ask, one core at most is busy with it.
 */
final class KeptAnswers {
    private static final long KEPT_BYTES = 16L << 20;
    private static final int MOST_KEPT = 64;

    /** Longer ones are under way a few at a time: each is held until its client has read it. */
    private static final int LONG_ANSWER = 256 << 10;

    private static final int MOST_LONG_ANSWERS = 8;
    private static final int PATIENCE_SECONDS = 2;

    private final Budget budget;
    private final LongSupplier clock;
    private final Semaphore longAnswers = new Semaphore(MOST_LONG_ANSWERS);
    private final Map<Object, Kept> kept = new LinkedHashMap<>();
    private long bytes;

    /** What is asked for. */
    record Answer(Header type, byte[] plain) {}

    /** As a client takes it. */
    record Sent(Header type, byte[] body, boolean packed) {}

    private static final class Kept {
        private final Answer answer;
        private final long made;
        private byte @Nullable [] packed;

        private Kept(Answer answer, long made) {
            this.answer = answer;
            this.made = made;
        }

        private long bytes() {
            return (long) answer.plain.length + (packed == null ? 0 : packed.length);
        }
    }

    /**
     * @param clock in nanoseconds
     */
    KeptAnswers(Budget budget, LongSupplier clock) {
        this.budget = budget;
        this.clock = clock;
    }

    /**
     * Sends what was asked for.
     *
     * @param key what equal answers have in common
     * @param nanos how old the answer may be
     */
    void send(
            ServerRequest request,
            ServerResponse response,
            Object key,
            long nanos,
            Supplier<Answer> maker) {
        Sent sent = find(key, nanos, Gzip.accepts(request), maker);
        response.status(200).header(sent.type);
        response.header("Vary", "Accept-Encoding");
        if (sent.packed) {
            response.header("Content-Encoding", "gzip");
        }
        budget.send(sent.body.length);
        if (sent.body.length < LONG_ANSWER) {
            response.send(sent.body);
        } else {
            sendLong(response, sent.body);
        }
    }

    synchronized Sent find(Object key, long nanos, boolean packs, Supplier<Answer> maker) {
        Kept found = find(key, nanos, maker);
        Answer answer = found.answer;
        return packs && Gzip.isWorthwhile(answer.plain)
                ? new Sent(answer.type, pack(found), true)
                : new Sent(answer.type, answer.plain, false);
    }

    /** Sends what is to be as it is now, whoever asked a moment ago. */
    void sendNew(ServerResponse response, Supplier<Map<String, ?>> maker) {
        long start = clock.getAsLong();
        Answer answer = Answers.json(maker.get());
        budget.spend(clock.getAsLong() - start);
        budget.send(answer.plain.length);
        response.status(200).header(answer.type).send(answer.plain);
    }

    private void sendLong(ServerResponse response, byte[] body) {
        boolean taken = false;
        try {
            taken = longAnswers.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (!taken) {
                throw new Refusal(429, "many long answers are under way", "ask for less, or later");
            }
            response.send(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refusal(503, "the daemon is shutting down");
        } finally {
            if (taken) {
                longAnswers.release();
            }
        }
    }

    private Kept find(Object key, long nanos, Supplier<Answer> maker) {
        long now = clock.getAsLong();
        Kept known = kept.get(key);
        if (known != null && now - known.made < nanos) {
            return known;
        }
        forget(key);
        Kept made = new Kept(maker.get(), now);
        budget.spend(clock.getAsLong() - now);
        kept.put(key, made);
        bytes += made.bytes();
        makeRoom();
        return made;
    }

    private byte[] pack(Kept one) {
        byte[] packed = one.packed;
        if (packed == null) {
            long start = clock.getAsLong();
            packed = Gzip.pack(one.answer.plain);
            one.packed = packed;
            bytes += kept.containsValue(one) ? packed.length : 0;
            budget.spend(clock.getAsLong() - start);
        }
        return packed;
    }

    private void forget(Object key) {
        Kept old = kept.remove(key);
        bytes -= old == null ? 0 : old.bytes();
    }

    /** The oldest go first. */
    private void makeRoom() {
        while (bytes > KEPT_BYTES || kept.size() > MOST_KEPT) {
            forget(kept.keySet().iterator().next());
        }
    }
}
