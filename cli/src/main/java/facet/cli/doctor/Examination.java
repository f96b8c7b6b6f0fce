package facet.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** All that is looked at, in the order in which one thing needs another. */
public final class Examination {
    private Examination() {}

    public static List<Finding> of(Machine machine, DaemonState daemon) {
        List<Finding> all = new ArrayList<>();
        all.addAll(SystemCheck.of(machine));
        all.addAll(LibrariesCheck.of(machine));
        all.addAll(DaemonCheck.of(daemon));
        all.addAll(PortCheck.of(machine, daemon));
        all.addAll(DriverCheck.of(machine));
        all.addAll(DirectCheck.of(machine, daemon));
        all.addAll(EnginesCheck.of(machine));
        all.addAll(HookCheck.of(machine));
        all.addAll(CdiCheck.of(machine, daemon));
        return all;
    }
}
