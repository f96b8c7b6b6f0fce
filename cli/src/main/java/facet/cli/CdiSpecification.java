package facet.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    record Edits(List<String> env, List<Node> deviceNodes, List<Hook> hooks) {
        static final Edits NONE = new Edits(List.of(), List.of());

        Edits(List<String> env, List<Hook> hooks) {
            this(env, List.of(), hooks);
        }
    }

    /** A device file: the engine makes it in the container, and lets its processes use it. */
    record Node(String path, String hostPath, String permissions) {}

    record Hook(String hookName, String path, List<String> args) {}

    /**
     * How containers reach the daemon.
     *
     * @param path absolute, of facet-hook
     * @param arguments that it needs in any case
     */
    record HookCommand(String path, List<String> arguments) {
        private List<Hook> with(String... more) {
            return List.of(hook("createRuntime", "create", more), hook("poststop", "delete"));
        }

        private Hook hook(String name, String verb, String... more) {
            List<String> all = new ArrayList<>(List.of("facet-hook", verb));
            all.addAll(arguments);
            all.addAll(List.of(more));
            return new Hook(name, path, all);
        }
    }

    /**
     * A device of the daemon.
     *
     * @param uuid empty where it is not known
     */
    record Gpu(int number, String uuid) {}

    /**
     * Slices of their own, with what a container's environment and annotations ask for, on all
     * devices or on those that it names: by number or by UUID, as NVIDIA's files call them. Each
     * has a variable of its own, so that a container can be given several.
     */
    static CdiSpecification gpus(List<Gpu> gpus, HookCommand hook) {
        List<Device> devices = new ArrayList<>();
        devices.add(gpu("all", "FACET_GPU=all"));
        gpus.forEach(each -> devices.add(gpu(Integer.toString(each.number()), variable(each))));
        gpus.stream()
                .filter(each -> isName(each.uuid()))
                .forEach(each -> devices.add(gpu(each.uuid(), variable(each))));
        return new CdiSpecification(
                VERSION, "facet.dev/gpu", devices, new Edits(List.of(), hook.with()));
    }

    private static String variable(Gpu gpu) {
        return "FACET_GPU_" + gpu.number() + "=" + gpu.number();
    }

    private static Device gpu(String name, String variable) {
        return new Device(name, new Edits(List.of(variable), List.of()));
    }

    /**
     * Slices that are there; {@link #isName} holds for their names. The name goes to the hook by
     * its arguments: those come from the administrator's file, and the environment does not.
     */
    static CdiSpecification slices(List<String> names, HookCommand hook) {
        List<Device> devices =
                names.stream()
                        .map(name ->
                                new Device(name, new Edits(List.of(), hook.with("--slice", name))))
                        .toList();
        return new CdiSpecification(VERSION, "facet.dev/slice", devices, Edits.NONE);
    }

    /**
     * The same devices for programs that have the vendor's driver in them.
     *
     * @param files of each device: where the container has them, by where the machine has them
     */
    static CdiSpecification direct(Map<Gpu, Map<String, String>> files, HookCommand hook) {
        List<Device> devices = new ArrayList<>();
        Map<String, String> together = new LinkedHashMap<>();
        files.values().forEach(together::putAll);
        devices.add(direct("all", "FACET_GPU=all", together));
        files.forEach((gpu, its) -> {
            devices.add(direct(Integer.toString(gpu.number()), variable(gpu), its));
            if (isName(gpu.uuid())) {
                devices.add(direct(gpu.uuid(), variable(gpu), its));
            }
        });
        return new CdiSpecification(
                VERSION,
                "facet.dev/direct",
                devices,
                new Edits(List.of("FACET_ENGINE=direct"), hook.with()));
    }

    private static Device direct(String name, String variable, Map<String, String> files) {
        List<Node> nodes =
                files.entrySet().stream()
                        .map(each -> new Node(each.getValue(), each.getKey(), "rw"))
                        .toList();
        return new Device(name, new Edits(List.of(variable), nodes, List.of()));
    }

    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }
}
