package facet.kube.ledger;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All holdings, by uid and then by node: a pod can be in the books of two while it is bound. */
final class Holdings {
    private final Map<String, Map<String, Holding>> byUid = new LinkedHashMap<>();

    List<Holding> of(String uid) {
        return List.copyOf(byUid.getOrDefault(uid, Map.of()).values());
    }

    @Nullable Holding get(String uid, String node) {
        return byUid.getOrDefault(uid, Map.of()).get(node);
    }

    Holding make(String uid, String node) {
        return byUid.computeIfAbsent(uid, _ -> new LinkedHashMap<>())
                .computeIfAbsent(node, _ -> new Holding(uid, node));
    }

    void remove(Holding holding) {
        Map<String, Holding> ofUid = byUid.get(holding.uid);
        if (ofUid != null && ofUid.remove(holding.node) != null && ofUid.isEmpty()) {
            byUid.remove(holding.uid);
        }
    }

    List<Holding> all() {
        return byUid.values().stream().flatMap(each -> each.values().stream()).toList();
    }
}
