package facet.host.residency;

import facet.sched.Eviction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Room of a device that another process has, which keeps its own book of it. One word at a time is
 * on its way there; each is answered. What the process says is believed where a lie would cost
 * nobody else: how long it has had its memory, and how long moves take, is measured here.
 *
 * <p>Its fields are guarded by the monitor of the device's book.
 */
public final class RemoteRoom implements Claimant, AutoCloseable {
    /** Who does not answer for so long is not counted on. */
    static final long TRUST_NANOS = 1_000_000_000;

    /** Bytes that even a busy machine moves in a second; who takes longer than that is killed. */
    static final long SLOWEST = 128L << 20;

    /** What was told is good for so long. */
    static final long FRESH_NANOS = 150_000_000;

    /** Room is not asked for by the byte. */
    private static final long GRAIN = 64L << 20;

    private static final int MOST_GRAINS = 64;

    private static final long DISTRUST_NANOS = 100_000_000;
    private static final int MOST_FAILURES = 4;

    /** The process. Never blocks. */
    public interface Borrower {
        String slice();

        /** Of its slice, 0 to 100. */
        int priority();

        /**
         * It has so much room from now on, or is to make its memory fit into it. It answers.
         *
         * @param lacking there will be no room for who waits there; so many bytes are missing
         * @param own whether others there are to move out for who waits there
         * @return false when that cannot be sent at the moment
         */
        boolean lend(long number, long bytes, long lacking, boolean own);

        /** It does not do what it must. */
        void kill(String why);
    }

    /** Bytes that the process can do without. */
    record Part(RemoteRoom room, long bytes) implements Leaver {}

    private enum Kind {
        /** How is it? */
        QUESTION,
        /** It has what it asked for. */
        GRANT,
        /** Less than before, for somebody else. */
        LESS,
        /** Less than before, so that there is more for who waits there. */
        LESS_FOR_ITSELF
    }

    /** A word that was not answered yet. */
    private static final class Word {
        private final long bytes;
        private final long lacking;
        private final Kind kind;

        /** What an honest process needs at most to do it. */
        private final long nanos;

        private final long since = System.nanoTime();

        /** How long it was waited for. While this process stands still the other may, too. */
        private long waited;

        private long looked = since;
        private boolean sent;

        /**
         * @param lent what it had before
         */
        private Word(Kind kind, long bytes, long lacking, long lent) {
            this.kind = kind;
            this.bytes = bytes;
            this.lacking = lacking;
            this.nanos = (long) (1e9 * Math.max(bytes, lent) / SLOWEST);
        }
    }

    private final Residency book;
    private final Borrower borrower;
    private long most;
    private long lent;
    private long wanted;
    private long number;
    private @Nullable Word word;
    private long spare;
    private List<RoomReport.Part> parts = List.of();
    private long toldAt = System.nanoTime() - FRESH_NANOS;
    private long resident;
    private long out;
    private boolean hasLeft = true;
    private long since = System.nanoTime();
    private long moveNanos;
    private int failures;
    private long untrustedUntil = since;
    private boolean killed;
    private boolean closed;

    RemoteRoom(Residency book, Borrower borrower, long most, long lent) {
        this.book = book;
        this.borrower = borrower;
        this.most = most;
        this.lent = lent;
    }

    String slice() {
        return borrower.slice();
    }

    /** Bytes that it has on the device, used or not. */
    public long lent() {
        synchronized (book) {
            return lent;
        }
    }

    /** Bytes that it uses, as it says. */
    public long resident() {
        synchronized (book) {
            return Math.min(resident, lent);
        }
    }

    long unused() {
        return lent - resident();
    }

    long movedOut() {
        synchronized (book) {
            return out;
        }
    }

    // ---- what the process says

    /** Answers a word, or asks for more. */
    public void told(RoomReport report) {
        synchronized (book) {
            if (closed) {
                return;
            }
            long now = System.nanoTime();
            Word about = word;
            boolean answers = about != null && report.number() == number;
            if (about != null && answers) {
                word = null;
                answered(about, report.holds(), now);
            }
            spare = Math.clamp(report.spare(), 0, lent);
            parts = report.parts();
            toldAt = now;
            long before = wanted;
            wanted = Math.clamp(report.wants(), 0, most);
            if (wanted > lent) {
                if (answers || wanted != before) {
                    book.ask(this);
                }
            } else {
                book.withdraw(this);
            }
            if (answers) {
                book.changed();
            }
        }
    }

    private void answered(Word about, long holds, long now) {
        long took = Math.min(now - about.since, about.nanos);
        if (about.bytes < lent) {
            long kept = Math.clamp(holds, about.bytes, lent);
            book.release(lent - kept);
            hasLeft |= kept < lent;
            lent = kept;
            moveNanos = took;
            if (kept > about.bytes) {
                failures = Math.min(failures + 1, MOST_FAILURES);
                untrustedUntil = now + (DISTRUST_NANOS << failures);
            } else {
                failures = 0;
            }
        } else if (about.kind == Kind.GRANT) {
            moveNanos = Math.max(moveNanos, took);
            // Who gets more and more does not begin anew with each piece.
            since = hasLeft ? now : since;
            hasLeft = false;
        }
    }

    /** How it uses its room, and what has moved since it said so before. */
    public void used(long itsResident, long itsOut, Moves moves) {
        synchronized (book) {
            if (closed) {
                return;
            }
            resident = Math.max(0, itsResident);
            out = Math.clamp(itsOut, 0, most);
            if (moves.isAny()) {
                book.countMoves(borrower.slice(), moves);
            }
        }
    }

    /** Its slice was promised this; when that is free it gets it without having to ask. */
    public void promised(long bytes) {
        synchronized (book) {
            most = Math.max(most, bytes);
            if (!closed && word == null) {
                long more = book.takeUpTo(Math.max(0, bytes - lent));
                if (more > 0) {
                    say(Kind.QUESTION, lent + more, 0);
                    lent += more;
                }
            }
        }
        remind(System.nanoTime());
    }

    // ---- what it is told

    /** The monitor is held; it is sent by {@link #remind}. */
    private void say(Kind kind, long bytes, long lacking) {
        number++;
        word = new Word(kind, bytes, lacking, lent);
    }

    /** Sends what was not sent yet, and ends who does not answer. */
    void remind(long now) {
        Word about;
        long itsNumber;
        boolean late;
        synchronized (book) {
            about = word;
            itsNumber = number;
            if (about == null || closed || killed) {
                return;
            }
            about.waited += Math.clamp(now - about.looked, 0, 2 * Residency.LOOK_NANOS);
            about.looked = now;
            late = about.waited > TRUST_NANOS + about.nanos;
            killed = late;
            if (about.sent && !late) {
                return;
            }
            about.sent = true;
        }
        if (late) {
            borrower.kill("does not give back room on the device when it is told to");
        } else if (!borrower.lend(
                itsNumber, about.bytes, about.lacking, about.kind == Kind.LESS_FOR_ITSELF)) {
            synchronized (book) {
                about.sent = false;
            }
        }
    }

    /** Bytes that it is about to give back, while that can be hoped for. */
    long coming(long now) {
        synchronized (book) {
            Word about = word;
            boolean trusted = about != null && now - about.since < TRUST_NANOS;
            return about != null && trusted ? Math.max(0, lent - about.bytes) : 0;
        }
    }

    /** Asks for a report when the last one is old. True while it is worth waiting for. */
    boolean askIfOld(long now) {
        synchronized (book) {
            if (closed || lent == 0 || isDistrusted(now)) {
                return false;
            }
            if (word == null && now - toldAt > FRESH_NANOS) {
                say(Kind.QUESTION, lent, 0);
            }
        }
        remind(now);
        synchronized (book) {
            return word != null && now - word.since < book.askNanos();
        }
    }

    private boolean isDistrusted(long now) {
        return now - untrustedUntil < 0;
    }

    /**
     * It is to give back so many bytes.
     *
     * @param own for who waits there
     */
    void shrink(long bytes, boolean own) {
        synchronized (book) {
            if (word != null || closed) {
                return;
            }
            say(own ? Kind.LESS_FOR_ITSELF : Kind.LESS, Math.max(0, lent - bytes), 0);
        }
        remind(System.nanoTime());
    }

    // ---- as others who have room on the device

    /**
     * @param own whether they would leave for who waits there: it needs what it has
     */
    List<Eviction.Candidate<Leaver>> candidates(long now, boolean own) {
        synchronized (book) {
            if (word != null || closed || isDistrusted(now)) {
                return List.of();
            }
            List<Eviction.Candidate<Leaver>> all = own ? new ArrayList<>() : spare(now);
            long left = lent - spare;
            for (RoomReport.Part each : parts) {
                long bytes = Math.min(each.bytes(), left);
                if (bytes > 0 && !(own && each.waits())) {
                    Eviction.Owner owner =
                            new Eviction.Owner(
                                    borrower.priority(),
                                    each.working(),
                                    ago(each.idleNanos()),
                                    since,
                                    moveNanos);
                    all.add(candidate(owner, bytes, ago(each.unusedNanos())));
                    left -= bytes;
                }
            }
            return all;
        }
    }

    /** Nothing has to move for it: it goes before all others, and a little more than is needed. */
    private List<Eviction.Candidate<Leaver>> spare(long now) {
        List<Eviction.Candidate<Leaver>> all = new ArrayList<>();
        long longAgo = now - Long.MAX_VALUE / 4;
        Eviction.Owner nobody = new Eviction.Owner(Integer.MIN_VALUE, false, longAgo, longAgo, 0);
        long grain = Math.max(GRAIN, spare / MOST_GRAINS);
        for (long left = spare; left > 0; left -= grain) {
            all.add(candidate(nobody, Math.min(left, grain), longAgo));
        }
        return all;
    }

    /** A time that was told, which nobody has checked. */
    private long ago(long nanos) {
        return toldAt - Math.clamp(nanos, 0, Long.MAX_VALUE / 8);
    }

    private Eviction.Candidate<Leaver> candidate(Eviction.Owner owner, long bytes, long lastUse) {
        return new Eviction.Candidate<>(new Part(this, bytes), owner, bytes, lastUse);
    }

    // ---- as one who waits

    @Override
    public boolean isLeaving() {
        synchronized (book) {
            return closed;
        }
    }

    @Override
    public Outcome claim() {
        synchronized (book) {
            if (word != null) {
                return new Outcome.Busy(System.nanoTime() - word.since < TRUST_NANOS);
            }
            long more = wanted - lent;
            if (more <= 0) {
                return new Outcome.Over(true, false);
            }
            long missing = book.reserveFirst(more);
            if (missing > 0) {
                return new Outcome.Missing(missing);
            }
            if (book.isAlone(this)) {
                more += bonus(more);
            }
            say(Kind.GRANT, lent + more, 0);
            lent += more;
        }
        remind(System.nanoTime());
        return new Outcome.Over(true, false);
    }

    /** So that it does not come for each allocation: as much again as it has, if that is free. */
    private long bonus(long more) {
        long useful = Math.max(0, Math.min(Math.max(GRAIN, lent), most - lent - more));
        long bytes = Math.clamp(book.free(), 0, useful);
        return book.reserveFirst(bytes) == 0 ? bytes : 0;
    }

    @Override
    public Optional<Boolean> refuse(long missing) {
        synchronized (book) {
            if (word != null) {
                return Optional.empty();
            }
            say(Kind.QUESTION, lent, missing);
        }
        remind(System.nanoTime());
        return Optional.of(false);
    }

    /** The process is gone. */
    @Override
    public void close() {
        synchronized (book) {
            if (!closed) {
                closed = true;
                word = null;
                book.remove(this, lent);
                lent = 0;
                resident = 0;
                out = 0;
            }
        }
    }
}
