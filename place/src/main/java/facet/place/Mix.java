package facet.place;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is usually asked for: requests and how often they come. Either learned from what arrives, or
 * given once. Its {@link MixTable}s are made again when twice as much has arrived, later after
 * every 4096: then all that was kept about costs is computed anew.
 */
public final class Mix {
    private static final int FIRST_LOOK = 32;
    private static final int LONGEST_BETWEEN_LOOKS = 4096;

    /** Whoever asks for something else each time must not make the tables large. */
    private static final int MOST_KINDS = 512;

    /** Then all counts are halved: what came long ago matters less and less. */
    private static final double FORGET_AT = 1 << 16;

    /**
     * How requests become a mix.
     *
     * @param popularity which part of all requests the mix is to have, the most frequent first; the
     *     rest is left out
     * @param demand how much requests for much count more than those for little: 0 not at all, 1 as
     *     much more as they are larger
     */
    public record Terms(double popularity, double demand) {
        public Terms {
            if (!(popularity > 0 && popularity <= 1)) {
                throw new IllegalArgumentException(
                        "popularity " + popularity + "; it is more than 0 and at most 1");
            }
            if (!(demand >= 0 && demand <= 4)) {
                throw new IllegalArgumentException("demand " + demand + "; it is 0 to 4");
            }
        }
    }

    /**
     * @param part of all in the mix
     */
    record Entry(Request request, double part) {}

    private final Map<Request, Double> counts = new HashMap<>();
    private final Terms terms;
    private final boolean learns;
    private MixTable[] tables = {};
    private double arrived;
    private double nextLook = FIRST_LOOK;
    private int edition;

    private Mix(Terms terms, boolean learns) {
        this.terms = terms;
        this.learns = learns;
    }

    /** Of what will arrive. */
    public static Mix learned(Terms terms) {
        return new Mix(terms, true);
    }

    /** Of these, whatever arrives. */
    public static Mix given(Terms terms, Iterable<Request> requests) {
        Mix mix = new Mix(terms, false);
        requests.forEach(each -> {
            // What is beyond or apart from what others share does not break it into fragments.
            if (!each.share().isBeside()) {
                mix.counts.merge(kind(each), 1.0, Double::sum);
            }
        });
        return mix;
    }

    /**
     * Memory does not count: it is what nodes run out of last, and would make many kinds of few.
     * Nor do pools and labels, as far as places are compared.
     */
    private static Request kind(Request request) {
        Share share = request.share();
        boolean isKind =
                request.memory() == 0
                        && !(share.isMoreThanCompute() && share.thousandths() > 0)
                        && request.where().pools() == Names.ANY
                        && request.where().labels() == 0;
        return isKind
                ? request
                : new Request(
                        request.devices(),
                        share.thousandths() > 0 ? Share.compute(share.thousandths()) : share,
                        Where.models(request.models()),
                        request.cpu(),
                        0);
    }

    void arrived(Request request) {
        if (!learns || request.share().isBeside()) {
            return;
        }
        counts.merge(kind(request), 1.0, Double::sum);
        arrived++;
        if (arrived >= nextLook) {
            if (arrived >= FORGET_AT) {
                counts.replaceAll((each, count) -> count / 2);
                counts.values().removeIf(count -> count < 0.5);
                arrived /= 2;
            }
            nextLook = arrived + Math.clamp(arrived, FIRST_LOOK, LONGEST_BETWEEN_LOOKS);
            tables = new MixTable[0];
            edition++;
        }
    }

    /** Another number when tables have changed. */
    public int edition() {
        return edition;
    }

    /** The mix as devices of a model see it. */
    public MixTable table(int model) {
        if (model >= tables.length) {
            tables = java.util.Arrays.copyOf(tables, model + 1);
        }
        if (tables[model] == null) {
            tables[model] = new MixTable(entries(), model);
        }
        return tables[model];
    }

    /** The most frequent first; of equally frequent ones the largest first. */
    List<Entry> entries() {
        List<Entry> all = new ArrayList<>();
        counts.forEach((request, count) -> all.add(new Entry(request, count)));
        all.sort(
                Comparator.comparingDouble(Entry::part)
                        .thenComparingInt(each -> each.request().cpu())
                        .thenComparingInt(each -> each.request().thousandths())
                        .thenComparingInt(each -> each.request().devices())
                        .thenComparingLong(each -> each.request().models())
                        .reversed());
        double total = all.stream().mapToDouble(Entry::part).sum();
        List<Entry> some = new ArrayList<>();
        double sum = 0;
        double weights = 0;
        for (Entry each : all) {
            if (sum >= terms.popularity() * total || some.size() == MOST_KINDS) {
                break;
            }
            sum += each.part();
            double weight = each.part() * weight(each.request());
            weights += weight;
            some.add(new Entry(each.request(), weight));
        }
        double whole = weights;
        return some.stream().map(each -> new Entry(each.request(), each.part() / whole)).toList();
    }

    private double weight(Request request) {
        return terms.demand() == 0 || request.devices() == 0
                ? 1
                : Math.pow((double) request.demand() / Cluster.WHOLE, terms.demand());
    }
}
