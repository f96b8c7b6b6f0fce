package facet.node;

import facet.abi.Constants;
import facet.doors.control.Change;
import facet.doors.control.ControlException;
import facet.node.container.Bounds;
import facet.node.pool.DeviceNews;
import facet.node.pool.Lender;
import facet.node.server.DeviceId;
import facet.node.server.LazyDevice;
import facet.node.server.SliceServer;
import facet.slices.Explanation;
import facet.slices.Setting;
import facet.slices.Settings;
import facet.slices.Slice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Slices of this node's devices that other nodes have. Programs of strangers run in them, so each
 * has what a container has: a process of its own where the daemon was not told otherwise, and no
 * more than the options allow.
 */
final class LentSlices implements Lender {
    /** What another node has a say in. */
    private static final Set<Setting> SAID =
            EnumSet.complementOf(
                    EnumSet.of(Setting.NODE, Setting.MODEL, Setting.ENGINE, Setting.STRICT));

    private final NodeDevices devices;
    private final NodeSlices slices;
    private final NewSlices created;
    private final Bounds most;
    private final List<List<Integer>> attributes = new ArrayList<>();

    /** For whom each is. */
    private final Map<String, String> nodes = new ConcurrentHashMap<>();

    private volatile boolean open;

    LentSlices(NodeDevices devices, NodeSlices slices, NewSlices created, Bounds most) {
        this.devices = devices;
        this.slices = slices;
        this.created = created;
        this.most = most;
        List<LazyDevice> all = devices.all();
        for (int i = 0; i < all.size(); i++) {
            int[] answers =
                    all.get(i).attributes(all.get(i).profile(), i, Constants.DEVICE_ATTRIBUTES);
            attributes.add(Arrays.stream(answers).boxed().toList());
        }
    }

    /** This node's own slices have what they had: others may come. */
    void open() {
        open = true;
    }

    /** For whom a slice is; empty: it is this node's own. */
    Optional<String> node(String slice) {
        return Optional.ofNullable(nodes.get(slice));
    }

    @Override
    public List<DeviceNews> devices() {
        List<Explanation.Row> rests;
        synchronized (slices) {
            rests = slices.placer().rests();
        }
        List<SliceServer> current = slices.all();
        List<DeviceNews> all = new ArrayList<>();
        for (Explanation.Row each : rests) {
            LazyDevice device = devices.all().get(each.device());
            all.add(
                    new DeviceNews(
                            each.device(),
                            DeviceId.uuid(each.device()),
                            device.profile(),
                            attributes.get(each.device()),
                            most.memory(device.profile().memory()),
                            NodeDevices.memoryUsed(current, each.device()),
                            each.memoryPromised(),
                            each.timeRest()));
        }
        return all;
    }

    @Override
    public int sessions() {
        return slices.all().stream()
                .filter(each -> !each.slice().devices().isElsewhere())
                .mapToInt(each -> each.sessions().size())
                .sum();
    }

    @Override
    public String make(String node, String wish, Settings settings) throws ControlException {
        if (!open) {
            throw new ControlException("it has just been started; try again in a moment");
        }
        Settings.Whole whole = slices.defaults().ofContainer();
        Settings granted = most.grant(checked(settings), whole);
        Slice wanted = granted.slice(Slice.nameFrom(wish), whole);
        if (!wanted.devices().isChosen()) {
            // Or it would go on to a third node where there is no room here.
            throw new ControlException("it does not say which device");
        }
        SliceServer made =
                created.create(
                        wanted, Optional.empty(), server -> nodes.put(server.slice().name(), node));
        return made.slice().name();
    }

    private static Settings checked(Settings settings) throws ControlException {
        for (Setting each : settings.values().keySet()) {
            if (!SAID.contains(each)) {
                throw new ControlException(each.key() + " is not for another node to say");
            }
        }
        return settings;
    }

    /** By this node's administrator; whose it is makes it again when it needs it. */
    Change delete(String slice, boolean force) throws ControlException {
        int programs = lent(slice).programs();
        if (programs > 0 && !force) {
            throw new ControlException(
                    programs
                            + (programs == 1 ? " program of node " : " programs of node ")
                            + nodes.get(slice)
                            + " use slice '"
                            + slice
                            + "'. Use --force to end them");
        }
        remove(slice);
        return Change.of(slice, Change.Action.DELETED, Map.of(), Map.of());
    }

    private SliceServer lent(String slice) throws ControlException {
        return slices.find(slice)
                .filter(each -> nodes.containsKey(slice) && !each.isClosed())
                .orElseThrow(() -> new ControlException("there is no slice '" + slice + "' here"));
    }

    @Override
    public void change(String slice, Settings settings) throws ControlException {
        Settings.Whole whole = slices.defaults().ofContainer();
        Slice wanted = most.grant(checked(settings), whole).slice(slice, whole);
        slices.placer().check(wanted);
        SliceServer server = lent(slice);
        Slice before;
        Slice after;
        synchronized (slices) {
            before = server.slice();
            if (slices.placer().moves(before, wanted)) {
                throw new ControlException("it cannot go to other devices");
            }
            after = slices.placer().stays(before, wanted);
            server.checkChange(after);
            slices.placer().checkPromises(Map.of(slice, after), List.of());
            server.promise(after);
        }
        try {
            server.change(after);
        } catch (IOException e) {
            server.promise(before);
            throw new ControlException("nothing was changed: " + e.getMessage(), e);
        }
    }

    @Override
    public void remove(String slice) {
        if (nodes.remove(slice) != null) {
            slices.find(slice).ifPresent(slices::end);
        }
    }

    @Override
    public boolean isThere(String slice) {
        boolean there = slices.find(slice).filter(each -> !each.isClosed()).isPresent();
        if (!there) {
            nodes.remove(slice);
        }
        return there;
    }

    @Override
    public Path socket(String slice) throws IOException {
        try {
            return lent(slice).socket();
        } catch (ControlException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
