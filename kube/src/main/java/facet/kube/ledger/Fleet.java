package facet.kube.ledger;

import facet.kube.names.Wish;
import facet.place.Cluster;
import facet.place.Ledger;
import facet.place.Models;
import facet.place.Names;
import facet.place.Node;
import facet.place.Placer;
import facet.place.Policies;
import facet.place.Request;
import facet.place.Share;
import facet.place.Traits;
import facet.place.Where;
import facet.place.queue.Dispatcher;
import facet.place.queue.Quotas;
import facet.place.queue.Rules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The nodes as {@code place} knows them. When a node comes, goes or is another one than before, a
 * new fleet is made and all is entered again.
 */
final class Fleet {
    private static final long SEED = 17;
    private static final Share NOTHING = new Share(0, 0, 0, 0);

    private final List<NodeFacts> nodes;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<NodeChoice, Where> choices = new HashMap<>();
    private final List<Set<String>> labels = new ArrayList<>();
    private final Names labelNames = new Names("ways to choose nodes");
    private final long pools;
    private final List<Integer> deviceMemories;

    final Cluster cluster;
    final Ledger ledger;
    final Placer placer;
    final Dispatcher dispatcher;

    Fleet(Collection<NodeFacts> all, Quotas quotas, ScheduleSettings settings) {
        nodes = List.copyOf(all);
        deviceMemories = deviceMemories(nodes);
        List<Node> known = new ArrayList<>();
        for (NodeFacts each : nodes) {
            numbers.put(each.name(), known.size());
            known.add(node(each, settings.promised()));
            labels.add(new HashSet<>());
        }
        Names poolNames = new Names("pools");
        cluster = new Cluster(known, new Models(), poolNames, labelNames);
        ledger = new Ledger(cluster);
        placer = new Placer(ledger, Policies.named(settings.policy()), List.of(), SEED);
        dispatcher =
                new Dispatcher(
                        placer,
                        quotas,
                        new Rules(true, settings.preempts(), 0, Rules.LostWork.COUNTED));
        pools = settings.pools().isEmpty() ? Names.ANY : poolNames.set(settings.pools());
    }

    private static Node node(NodeFacts facts, int promised) {
        Traits traits =
                Traits.NONE
                        .withPool(facts.pool())
                        .withZone(facts.zone())
                        .withDeviceMemory(facts.deviceMemory())
                        .withIslandsOf(facts.island())
                        .withPromised(promised);
        return new Node(
                facts.name(),
                facts.model(),
                facts.devices().size(),
                facts.cpu(),
                facts.memory(),
                traits);
    }

    /** -1: it is not there. */
    int number(String node) {
        return numbers.getOrDefault(node, -1);
    }

    NodeFacts facts(int node) {
        return nodes.get(node);
    }

    /** The bits of a node's devices; 0 where one of them is not there. */
    long bits(int node, List<String> uuids) {
        long bits = 0;
        List<Device> devices = nodes.get(node).devices();
        for (String uuid : uuids) {
            long before = bits;
            for (int i = 0; i < devices.size(); i++) {
                bits |= devices.get(i).uuid().equals(uuid) ? 1L << i : 0;
            }
            if (bits == before) {
                return 0;
            }
        }
        return bits;
    }

    List<String> uuids(int node, long bits) {
        List<String> uuids = new ArrayList<>();
        for (long rest = bits; rest != 0; rest &= rest - 1) {
            uuids.add(nodes.get(node).devices().get(Long.numberOfTrailingZeros(rest)).uuid());
        }
        return uuids;
    }

    /** Sizes of devices that there are, those that most nodes have first. */
    List<Integer> deviceMemories() {
        return deviceMemories;
    }

    private static List<Integer> deviceMemories(List<NodeFacts> nodes) {
        Map<Integer, Integer> counts = new HashMap<>();
        nodes.stream()
                .filter(each -> !each.devices().isEmpty())
                .forEach(each -> counts.merge(each.deviceMemory(), 1, Integer::sum));
        return counts.entrySet().stream()
                .sorted(Map.Entry.<Integer, Integer>comparingByValue().reversed())
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * @throws IllegalArgumentException when pods choose in more ways than there is room for
     */
    Request request(Wish wish, NodeChoice choice, int deviceMemory, int cpu, int memory) {
        int mebibytes =
                wish.memory() instanceof Wish.Memory.All
                        ? Share.ALL_MEMORY
                        : mebibytes(wish.memory().bytes((long) deviceMemory << 20));
        Share share =
                new Share(
                        wish.thousandths(),
                        mebibytes,
                        wish.codec(),
                        wish.render(),
                        wish.burst(),
                        null);
        return new Request(wish.devices(), share, where(choice), cpu, memory);
    }

    static int mebibytes(long bytes) {
        return (int)
                Math.min(Integer.MAX_VALUE, (bytes >> 20) + ((bytes & (1 << 20) - 1) == 0 ? 0 : 1));
    }

    /** What a container has already. */
    Request request(int node, Given given, int cpu, int memory) {
        int mebibytes = mebibytes(given.memory());
        boolean all = mebibytes >= cluster.deviceMemory(node);
        Share share =
                new Share(
                        given.thousandths(),
                        all ? Share.ALL_MEMORY : mebibytes,
                        given.codec(),
                        given.render(),
                        given.thousandths() > 0 ? 0 : Math.min(given.burst(), Cluster.WHOLE),
                        null);
        return new Request(given.devices().size(), share, Where.ANYWHERE, cpu, memory);
    }

    /** Of a pod that has no device. */
    static Request plain(int cpu, int memory) {
        return new Request(0, NOTHING, Where.ANYWHERE, cpu, memory);
    }

    /** Worked out once for each way to choose: most pods choose alike. */
    private Where where(NodeChoice choice) {
        Where known = choices.get(choice);
        if (known == null) {
            known = newWhere(choice);
            choices.put(choice, known);
        }
        return known;
    }

    private Where newWhere(NodeChoice choice) {
        Where where = Where.ANYWHERE.inPools(pools);
        if (nodes.stream().allMatch(choice::accepts)) {
            return where;
        }
        String label = "choice-" + choices.size();
        labelNames.number(label);
        for (int i = 0; i < nodes.size(); i++) {
            if (choice.accepts(nodes.get(i))) {
                labels.get(i).add(label);
                cluster.changeLabels(i, labels.get(i));
            }
        }
        return where.withLabels(labelNames.set(List.of(label)));
    }
}
