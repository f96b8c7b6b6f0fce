package facet.node.container;

import facet.doors.control.ControlException;
import facet.doors.control.Operations;
import facet.slices.Isolation;
import facet.slices.Settings;
import facet.slices.Slice;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** Slices that are only names; no more than 100 % of compute. */
final class FakeSlices implements ContainerSlices {
    final Map<String, Slice> open = new TreeMap<>();

    Slice get(String name) {
        return java.util.Objects.requireNonNull(open.get(name), name);
    }

    final TreeSet<String> folders = new TreeSet<>();
    long deviceMemory = 4L << 30;
    Isolation isolation = Isolation.SHARED;

    private record Done(String name, Map<String, Slice> all) implements Operations.Made {
        @Override
        public Slice slice() {
            return all.getOrDefault(name, new Slice(name, 1, 1, facet.sched.Terms.REST));
        }

        @Override
        public Path socket() {
            return Path.of("/run/facet/slices", name, "socket");
        }
    }

    @Override
    public int devices() {
        return 1;
    }

    @Override
    public Optional<VendorPlaces> vendor() {
        return Optional.empty();
    }

    @Override
    public Settings.Whole wholeOfContainer() {
        return new Settings.Whole(deviceMemory, 1, isolation);
    }

    private void check(Slice wanted) throws ControlException {
        if (wanted.memory() > deviceMemory) {
            throw new ControlException("too much memory");
        }
    }

    @Override
    public synchronized Operations.Made openMounted(Slice wanted) throws ControlException {
        int sum = open.values().stream().mapToInt(each -> each.terms().compute()).sum();
        if (sum + wanted.terms().compute() > 100) {
            throw new ControlException("too much is promised");
        }
        String name = open.containsKey(wanted.name()) ? wanted.name() + "-2" : wanted.name();
        folders.add(name);
        return reopen(wanted.withName(name));
    }

    @Override
    public synchronized Operations.Made reopen(Slice slice) throws ControlException {
        check(slice);
        if (!folders.contains(slice.name())) {
            throw new ControlException("its folder is not the one that was");
        }
        open.put(slice.name(), slice);
        return new Done(slice.name(), open);
    }

    @Override
    public synchronized Optional<Operations.Made> mount(String name) {
        folders.add(name);
        return open.containsKey(name) ? Optional.of(new Done(name, open)) : Optional.empty();
    }

    @Override
    public synchronized void unmount(String name) {
        folders.remove(name);
    }

    @Override
    public synchronized Slice changeMounted(Slice wanted) throws ControlException {
        check(wanted);
        open.put(wanted.name(), wanted);
        return wanted;
    }

    @Override
    public synchronized void remove(String name) {
        open.remove(name);
        folders.remove(name);
    }
}
