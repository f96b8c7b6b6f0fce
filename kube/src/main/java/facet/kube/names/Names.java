package facet.kube.names;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** All of {@code names.table}, and the names that parts of Facet write for each other. */
public final class Names {
    /** Of a node, by its agent: its devices ({@link facet.kube.ledger.Device}). */
    public static final String DEVICES = "facet.dev/devices";

    /** Of a pod, by whoever binds it: what its containers get. */
    public static final String PLACEMENT = "facet.dev/placement";

    /** Of a pod that was to be bound by somebody who is slow: its binding is void. */
    public static final String FENCED = "facet.dev/fenced";

    /** Of a node: to which pool it belongs. */
    public static final String POOL = "facet.dev/pool";

    /** Of a node: to which pool it is to go when nothing is on it. */
    public static final String NEXT_POOL = "facet.dev/next-pool";

    /** The scheduler of our own, where nobody gave it another name. */
    public static final String SCHEDULER = "facet-scheduler";

    private static final List<Name> ALL = read();

    private Names() {}

    private static List<Name> read() {
        try (InputStream file = Names.class.getResourceAsStream("names.table")) {
            if (file == null) {
                throw new IllegalStateException("names.table is missing");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Name::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Name> of(Set<Family> families) {
        return ALL.stream().filter(each -> families.contains(each.family())).toList();
    }

    /** By which containers ask: what the stock scheduler leaves to us. */
    public static Set<String> resources(Set<Family> families) {
        return named(families, Name.Where.RESOURCE, false);
    }

    /** Annotations and labels by which pods ask. */
    public static Set<String> wishesOfPods(Set<Family> families) {
        Set<String> names = new TreeSet<>(named(families, Name.Where.ANNOTATION, true));
        names.addAll(named(families, Name.Where.LABEL, true));
        return names;
    }

    private static Set<String> named(Set<Family> families, Name.Where where, boolean wishes) {
        return of(families).stream()
                .filter(each -> each.where() == where && (!wishes || each.isWish()))
                .map(Name::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What an annotation or label of a pod says about the pod itself, such as its queue. */
    static String ofPod(
            Name.Says says,
            Set<Family> families,
            Map<String, String> annotations,
            Map<String, String> labels) {
        for (Name each : of(families)) {
            if (each.says() == says && each.where() != Name.Where.RESOURCE) {
                String text = annotations.getOrDefault(each.name(), labels.get(each.name()));
                if (text != null && !text.isBlank()) {
                    return text.strip();
                }
            }
        }
        return "";
    }
}
