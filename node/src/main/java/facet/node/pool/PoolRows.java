package facet.node.pool;

import facet.pool.link.Link;
import facet.pool.link.LinkServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The pool as answers have it. */
final class PoolRows {
    /** Ways that are longer or that break are said to be so. */
    private static final long LONG_WAY_NANOS = 5_000_000;

    private PoolRows() {}

    static Map<String, Object> made(Pool pool, PoolFiles files) {
        Map<String, Object> answer = new LinkedHashMap<>(status(pool));
        answer.put("tokenFile", files.token().toString());
        return answer;
    }

    static Map<String, Object> status(Pool pool) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("joined", pool.isJoined());
        if (pool.membership().isEmpty()) {
            return answer;
        }
        Membership in = pool.membership().get();
        NodeNews own = in.own();
        answer.put("pool", in.identity().pool());
        answer.put("node", own.node());
        answer.put("listens", in.listens().map(PoolAddress::toString).orElse(""));
        answer.put("address", own.address());
        answer.put("draining", own.draining());
        answer.put("empty", own.sessions() == 0);
        answer.put("sessions", own.sessions());
        answer.put("lent", own.lent());
        answer.put("strangers", in.server().map(LinkServer::strangers).orElse(0));
        answer.put("turnedAway", in.server().map(LinkServer::turnedAway).orElse(0L));
        List<Map<String, Object>> nodes = new ArrayList<>();
        for (Member each : in.members()) {
            nodes.add(node(each));
        }
        for (Visitor each : in.visitors()) {
            // One that does not listen is known by its visit alone.
            if (in.member(each.node()).isEmpty()) {
                nodes.add(visitor(each));
            }
        }
        for (Member each : in.unreached()) {
            nodes.add(node(each));
        }
        answer.put("nodes", nodes);
        return answer;
    }

    private static Map<String, Object> node(Member member) {
        Map<String, Object> row = new LinkedHashMap<>();
        boolean connected = member.isConnected();
        row.put("node", member.node());
        row.put("address", member.address().toString());
        row.put("connected", connected);
        row.put("roundTripNanos", member.roundTripNanos());
        SessionLinks.Sums sums = member.sessions().sums();
        row.put("sessions", sums.sessions());
        row.put("roundTrips", sums.roundTrips());
        row.put("sent", sums.sent());
        row.put("received", sums.received());
        row.put("resumes", resumes(member, sums));
        row.put("sentAgain", sums.sentAgain());
        row.put("devices", member.news().map(each -> each.devices().size()).orElse(0));
        row.put("draining", member.news().map(NodeNews::draining).orElse(false));
        row.put("state", state(member, connected, sums));
        return row;
    }

    /** In words: what is wrong, or slow. */
    private static String state(Member member, boolean connected, SessionLinks.Sums sums) {
        if (!connected) {
            return member.trouble().isEmpty() ? "not reached yet" : "lost: " + member.trouble();
        }
        List<String> words = new ArrayList<>();
        if (member.news().map(NodeNews::draining).orElse(false)) {
            words.add("drains");
        }
        if (member.roundTripNanos() > LONG_WAY_NANOS) {
            words.add(
                    String.format(
                            Locale.ROOT,
                            "slow: each wait takes %.1f ms",
                            member.roundTripNanos() / 1e6));
        }
        if (sums.resumes() > 0) {
            words.add("connections were cut " + sums.resumes() + " times");
        }
        return words.isEmpty() ? "connected" : String.join("; ", words);
    }

    private static long resumes(Member member, SessionLinks.Sums sums) {
        Link link = member.link();
        return sums.resumes() + (link == null ? 0 : link.figures().resumes());
    }

    private static Map<String, Object> visitor(Visitor visitor) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("node", visitor.node());
        row.put("address", "");
        row.put("connected", visitor.link().isConnected());
        row.put("roundTripNanos", visitor.link().figures().roundTripNanos());
        row.put("sessions", 0);
        row.put("roundTrips", 0L);
        row.put("sent", 0L);
        row.put("received", 0L);
        row.put("resumes", visitor.link().figures().resumes());
        row.put("sentAgain", 0L);
        row.put("devices", visitor.news().map(each -> each.devices().size()).orElse(0));
        row.put("draining", visitor.news().map(NodeNews::draining).orElse(false));
        row.put(
                "state",
                visitor.link().isConnected() ? "uses others' devices, lends none" : "lost");
        return row;
    }

    static List<Map<String, Object>> devices(Pool pool) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Member member : pool.membership().map(Membership::members).orElse(List.of())) {
            for (DeviceNews each : member.news().map(NodeNews::devices).orElse(List.of())) {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("node", member.node());
                row.put("connected", member.isConnected());
                row.put("device", each.device());
                row.put("name", each.profile().name());
                row.put("uuid", "GPU-" + each.uuid());
                row.put("computeCapability", each.profile().capability());
                row.put("multiprocessors", each.profile().multiprocessors());
                row.put("memory", each.profile().memory());
                row.put("used", each.used());
                row.put("free", each.free());
                row.put("timeRest", each.timeRest());
                rows.add(row);
            }
        }
        return rows;
    }

    static List<Map<String, Object>> explain(List<PoolPlacement.Row> rows) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (PoolPlacement.Row each : rows) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("node", each.node());
            row.put("device", each.device().device());
            row.put("fits", each.lack().isEmpty());
            row.put("memory", each.device().profile().memory());
            row.put("memoryPromised", each.device().memoryPromised());
            row.put("timeRest", each.device().timeRest());
            row.put("words", each.lack().orElse("fits"));
            all.add(row);
        }
        return all;
    }

    static List<LinkNews> links(Pool pool) {
        List<LinkNews> all = new ArrayList<>();
        for (Member each : pool.membership().map(Membership::members).orElse(List.of())) {
            SessionLinks.Sums sums = each.sessions().sums();
            all.add(
                    new LinkNews(
                            each.node(),
                            each.isConnected(),
                            each.roundTripNanos(),
                            sums,
                            resumes(each, sums)));
        }
        return all;
    }
}
