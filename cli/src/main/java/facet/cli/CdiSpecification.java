package facet.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A file of the Container Device Interface: what an engine changes in a container that asks for one
 * of our devices. The names are those of the file.
 *
 * @param cdiVersion the oldest version that has all of it: names that begin with a digit
 */
record CdiSpecification(
        String cdiVersion, String kind, List<Device> devices, Edits containerEdits) {
    private static final String VERSION = "0.5.0";
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9]([a-zA-Z0-9_.-]*[a-zA-Z0-9])?");

    record Device(String name, Edits containerEdits) {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record Edits(List<String> env, List<Hook> hooks) {}

    record Hook(String hookName, String path, List<String> args) {}

    /** Slices of their own, with what the container's environment asks for; else with defaults. */
    static CdiSpecification gpus(int count, Edits hooks) {
        List<Device> devices = new ArrayList<>();
        devices.add(device("all", "FACET_GPU=all"));
        for (int i = 0; i < count; i++) {
            devices.add(device(Integer.toString(i), "FACET_GPU=" + i));
        }
        return new CdiSpecification(VERSION, "facet.dev/gpu", devices, hooks);
    }

    /** Slices that are there; {@link #isName} holds for their names. */
    static CdiSpecification slices(List<String> names, Edits hooks) {
        List<Device> devices =
                names.stream().map(name -> device(name, "FACET_SLICE=" + name)).toList();
        return new CdiSpecification(VERSION, "facet.dev/slice", devices, hooks);
    }

    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /**
     * @param hook absolute path of facet-hook
     * @param more arguments for it
     */
    static Edits hooks(String hook, List<String> more) {
        return new Edits(
                List.of(),
                List.of(
                        hook("createRuntime", hook, "create", more),
                        hook("poststop", hook, "delete", more)));
    }

    private static Hook hook(String name, String path, String verb, List<String> more) {
        List<String> arguments = new ArrayList<>(List.of("facet-hook", verb));
        arguments.addAll(more);
        return new Hook(name, path, arguments);
    }

    private static Device device(String name, String variable) {
        return new Device(name, new Edits(List.of(variable), List.of()));
    }
}
