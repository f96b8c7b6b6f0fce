package facet.host.residency;

import facet.sched.Eviction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Room of a device that this process was lent. When it is not enough the lender is asked for more,
 * and decides whose memory leaves for it. When the lender needs room, it is told how much is left
 * here, and this process decides what leaves. The other side is {@link RemoteRoom}.
 */
public final class LentRoom implements Source {
    /** Who lends. Called by the serving thread. */
    public interface Lender {
        void tell(RoomReport report);
    }

    /** What the lender has said and nobody has done yet. */
    private record Word(long number, long bytes, long lacking, boolean own) {}

    private final Lender lender;
    private final long atBegin;
    private @Nullable Residency entered;

    /** With the book's monitor. */
    private @Nullable Word word;

    private long number;
    private boolean answerDue;
    private long wants;
    private long told;

    /**
     * @param bytes that it has at the beginning
     */
    public LentRoom(long bytes, Lender lender) {
        this.atBegin = bytes;
        this.lender = lender;
    }

    long enter(Residency residency) {
        entered = residency;
        return atBegin;
    }

    private Residency book() {
        if (entered == null) {
            throw new IllegalStateException("nobody keeps book of what was lent");
        }
        return entered;
    }

    /**
     * The lender says what there is from now on. Any thread.
     *
     * @param lacking so many bytes are missing for who waits here, and will be
     * @param own whether it is for who waits here that others here are to move out
     */
    public void lent(long itsNumber, long bytes, long lacking, boolean own) {
        Residency book = book();
        synchronized (book) {
            word = new Word(itsNumber, bytes, lacking, own);
            book.begin();
            book.changed();
        }
    }

    @Override
    public boolean isDue() {
        return word != null || told != 0;
    }

    @Override
    public void begin(List<Request> waiting) {
        Word now;
        synchronized (book()) {
            now = word;
            word = null;
        }
        if (now != null || waiting.isEmpty()) {
            wants = 0;
        }
        if (now == null) {
            return;
        }
        number = now.number;
        answerDue = true;
        fitInto(now.bytes, now.own);
        if (now.lacking > 0 && !waiting.isEmpty()) {
            // Who cannot be told now asks again.
            boolean _ = book().refuse(waiting.getFirst(), now.lacking);
        }
    }

    /** Moves out what is too much; keeps more than it was told when that is not possible now. */
    private void fitInto(long bytes, boolean own) {
        Residency book = book();
        long over;
        synchronized (book) {
            // What is free is as good as taken when it is for who waits: it needs that and more.
            over = book.capacity() - (own ? 0 : book.free()) - bytes;
            book.capacity(bytes);
        }
        if (over > 0) {
            moveOut(over, own);
            synchronized (book) {
                if (book.free() < 0) {
                    book.capacity(bytes - book.free());
                }
            }
        }
    }

    private void moveOut(long bytes, boolean own) {
        long now = System.nanoTime();
        Optional<Claimant> first = book().first();
        List<Eviction.Candidate<Leaver>> all = candidates(now);
        all.removeIf(each -> own && RoomParts.needs(first, each.what()));
        if (book().eviction().decide(all, bytes, now)
                instanceof Eviction.Decision.Move<Leaver>(List<Leaver> chosen)) {
            List<ContextMoves.Group> groups = new ArrayList<>();
            for (Leaver each : chosen) {
                if (each instanceof ContextMoves.Group group) {
                    groups.add(group);
                }
            }
            boolean _ = ContextMoves.moveOut(groups, book());
        }
    }

    private List<Eviction.Candidate<Leaver>> candidates(long now) {
        List<Eviction.Candidate<Leaver>> all = new ArrayList<>();
        book().holdings().forEach(each -> all.addAll(each.candidates(now, false)));
        return all;
    }

    /** Before the lender is asked what nobody here needs leaves. */
    @Override
    public long makeRoom(Request request, long missing) {
        if (leaveWillingly(missing)) {
            return 0;
        }
        wants = book().capacity() + missing;
        return System.nanoTime() + Residency.LOOK_NANOS;
    }

    private boolean leaveWillingly(long missing) {
        List<ContextMoves.Group> groups = new ArrayList<>();
        long bytes = 0;
        for (Eviction.Candidate<Leaver> each : candidates(System.nanoTime())) {
            if (bytes < missing
                    && each.what() instanceof ContextMoves.Group group
                    && group.willing()) {
                groups.add(group);
                bytes += each.bytes();
            }
        }
        return !groups.isEmpty() && ContextMoves.moveOut(groups, book());
    }

    @Override
    public void end() {
        boolean news = wants > told || wants == 0 && told != 0;
        if (answerDue || news) {
            answerDue = false;
            told = wants;
            lender.tell(report());
        }
    }

    private RoomReport report() {
        long now = System.nanoTime();
        Residency book = book();
        List<RoomReport.Part> parts = RoomParts.of(candidates(now), book.first(), now);
        synchronized (book) {
            long spare = Math.max(0, book.free());
            return new RoomReport(number, book.capacity(), told, spare, parts);
        }
    }
}
