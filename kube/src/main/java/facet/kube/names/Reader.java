package facet.kube.names;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Reads what a pod asks for, by the names that a cluster accepts. */
public final class Reader {
    private static final int MOST_PODS = 4096;

    private final Set<Family> families;
    private final List<Name> names;

    public Reader(Set<Family> families) {
        this.families = Set.copyOf(families);
        names = Names.of(families);
    }

    public Set<Family> families() {
        return families;
    }

    /**
     * Empty for a pod that asks for no part of a GPU.
     *
     * @throws NamesException when what it says cannot be
     */
    public PodWish read(Pod pod) throws NamesException {
        Map<String, String> annotations = map(pod.getMetadata().getAnnotations());
        Map<String, String> labels = map(pod.getMetadata().getLabels());
        List<Said> ofPod = said(annotations, labels);
        List<Container> containers =
                Stream.concat(
                                list(pod.getSpec().getInitContainers()).stream(),
                                list(pod.getSpec().getContainers()).stream())
                        .toList();
        List<List<Said>> ofContainers = new ArrayList<>();
        for (Container each : containers) {
            ofContainers.add(said(each));
        }
        boolean byResource = ofContainers.stream().anyMatch(Reader::wishes);
        List<Wish> wishes = new ArrayList<>();
        int firstPlain = list(pod.getSpec().getInitContainers()).size();
        for (int i = 0; i < containers.size(); i++) {
            List<Said> all = new ArrayList<>(ofContainers.get(i));
            // What the pod says as a whole is for those that ask, or for the first container.
            if (byResource ? wishes(all) : i == firstPlain) {
                all.addAll(ofPod);
            }
            if (wishes(all)) {
                wishes.add(Wishes.of(containers.get(i).getName(), all));
            }
        }
        return podWish(wishes, annotations, labels);
    }

    private PodWish podWish(
            List<Wish> wishes, Map<String, String> annotations, Map<String, String> labels)
            throws NamesException {
        String gang = Names.ofPod(Name.Says.GANG, families, annotations, labels);
        String size = Names.ofPod(Name.Says.GANG_SIZE, families, annotations, labels);
        if (gang.isEmpty() != size.isEmpty()) {
            throw new NamesException(
                    "a gang has a name and a size (facet.dev/gang, facet.dev/gang-size); one of them"
                            + " is missing");
        }
        if (!gang.isEmpty() && wishes.size() > 1) {
            throw new NamesException(
                    "a pod of a gang has one container with a part of a GPU, and "
                            + wishes.size()
                            + " ask for one here");
        }
        String models = Names.ofPod(Name.Says.MODEL, families, annotations, labels);
        return new PodWish(
                wishes,
                Names.ofPod(Name.Says.QUEUE, families, annotations, labels),
                gang,
                size.isEmpty() ? 1 : (int) number("the size of a gang", size, 1, MOST_PODS),
                Arrays.stream(models.split(",", -1))
                        .map(String::strip)
                        .filter(each -> !each.isEmpty())
                        .toList());
    }

    private static long number(String what, String text, long least, long most)
            throws NamesException {
        try {
            long value = Unit.NUMBER.read(text, false);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (IllegalArgumentException e) {
            throw new NamesException(what + ", '" + text + "': " + e.getMessage());
        }
        throw new NamesException(what + " is " + least + " to " + most + ", not " + text);
    }

    private static boolean wishes(List<Said> all) {
        return all.stream().anyMatch(each -> each.name().isWish());
    }

    private List<Said> said(Container container) throws NamesException {
        List<Said> all = new ArrayList<>();
        if (container.getResources() == null) {
            return all;
        }
        Map<String, Quantity> limits = map(container.getResources().getLimits());
        Map<String, Quantity> requests = map(container.getResources().getRequests());
        for (Name each : names) {
            Quantity quantity = limits.getOrDefault(each.name(), requests.get(each.name()));
            if (each.where() == Name.Where.RESOURCE && quantity != null) {
                all.add(Said.of(each, quantity.toString(), true));
            }
        }
        // Asking for none of something is how charts switch it off.
        all.removeIf(each -> each.value() == 0 && each.name().isWish());
        return all;
    }

    private List<Said> said(Map<String, String> annotations, Map<String, String> labels)
            throws NamesException {
        List<Said> all = new ArrayList<>();
        for (Name each : names) {
            if (each.where() == Name.Where.RESOURCE || each.says().ofPod) {
                continue;
            }
            String text = annotations.get(each.name());
            if (text == null && each.where() == Name.Where.LABEL) {
                text = labels.get(each.name());
            }
            if (text != null && !text.isBlank()) {
                all.add(Said.of(each, text, false));
            }
        }
        return all;
    }

    private static <V> Map<String, V> map(Map<String, V> mayBeMissing) {
        return mayBeMissing == null ? Map.of() : mayBeMissing;
    }

    private static <T> List<T> list(List<T> mayBeMissing) {
        return mayBeMissing == null ? List.of() : mayBeMissing;
    }
}
