package facet.node.pool;

import facet.pool.link.Link;
import facet.pool.link.LinkFigures;
import facet.pool.relay.NearSession;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What sessions with one node have sent and received; those that have ended count too. */
public final class SessionLinks {
    private final Map<Link, NearSession> open = new ConcurrentHashMap<>();
    private Sums ended = Sums.NONE;

    /**
     * @param sessions that are there now
     * @param roundTrips answers that programs have waited for
     * @param sentAgain bytes that travelled once more after a cut
     */
    public record Sums(
            int sessions, long roundTrips, long sent, long received, long resumes, long sentAgain) {
        static final Sums NONE = new Sums(0, 0, 0, 0, 0, 0);

        Sums plus(LinkFigures link, long answers, int more) {
            return new Sums(
                    sessions + more,
                    roundTrips + answers,
                    sent + link.sent(),
                    received + link.received(),
                    resumes + link.resumes(),
                    sentAgain + link.sentAgain());
        }
    }

    synchronized void add(Link link, NearSession session) {
        open.put(link, session);
    }

    synchronized void remove(Link link) {
        NearSession session = open.remove(link);
        if (session != null) {
            ended = ended.plus(link.figures(), session.answers(), 0);
        }
    }

    synchronized Sums sums() {
        Sums all = ended;
        for (Map.Entry<Link, NearSession> each : open.entrySet()) {
            all = all.plus(each.getKey().figures(), each.getValue().answers(), 1);
        }
        return all;
    }
}
