package facet.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** Container engines and runtimes. */
final class EnginesCheck {
    private static final String ABOUT = "containers";
    private static final List<String> ENGINES =
            List.of("podman", "docker", "containerd", "crio", "nerdctl");
    private static final List<String> RUNTIMES = List.of("runc", "crun");

    private EnginesCheck() {}

    static List<Finding> of(Machine machine) {
        List<String> engines = present(machine, ENGINES);
        List<String> runtimes = present(machine, RUNTIMES);
        List<Finding> found = new ArrayList<>();
        if (engines.isEmpty() && runtimes.isEmpty()) {
            found.add(Finding.good(ABOUT, "no engine; 'facet run' needs none"));
            return found;
        }
        List<String> all = new ArrayList<>(engines);
        all.addAll(runtimes);
        found.add(Finding.good(ABOUT, "found " + String.join(", ", all)));
        if (runtimes.isEmpty()) {
            found.add(
                    Finding.note(
                            ABOUT,
                            "neither runc nor crun is in PATH; facet-runtime needs one",
                            "install runc, or set FACET_RUNTIME to the path of yours"));
        }
        return found;
    }

    private static List<String> present(Machine machine, List<String> names) {
        return names.stream().filter(each -> machine.program(each).isPresent()).toList();
    }
}
