package facet.node;

import facet.doors.control.ControlException;
import facet.doors.control.Operations;
import facet.log.Log;
import facet.node.container.ContainerSlices;
import facet.node.container.VendorPlaces;
import facet.node.server.SliceMoved;
import facet.node.server.SliceServer;
import facet.node.slice.SliceFolders;
import facet.slices.Placement;
import facet.slices.Settings;
import facet.slices.Slice;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The slices of the node whose folders containers have mounted. */
final class MountedSlices implements ContainerSlices {
    private final NodeSlices slices;
    private final NewSlices created;
    private final SliceFolders folders;
    private final Optional<VendorPlaces> vendor;
    private final Log log;

    MountedSlices(NodeSlices slices, NewSlices created, Optional<VendorPlaces> vendor, Log log) {
        this.slices = slices;
        this.created = created;
        this.vendor = vendor;
        this.folders = slices.folders();
        this.log = log;
    }

    @Override
    public int devices() {
        return slices.devices();
    }

    @Override
    public Optional<VendorPlaces> vendor() {
        return vendor;
    }

    @Override
    public Settings.Whole wholeOfContainer() {
        return slices.defaults().ofContainer();
    }

    @Override
    public SliceServer openMounted(Slice wanted) throws ControlException {
        return created.create(wanted, Optional.empty(), this::mount);
    }

    private void mount(SliceServer server) throws IOException {
        folders.mount(server.slice().name());
    }

    @Override
    public SliceServer reopen(Slice slice) throws ControlException, IOException {
        slices.placer().check(slice);
        synchronized (slices) {
            SliceServer server = slices.open(slices.placer().placeAgain(slice), Optional.empty());
            try {
                slices.placer().checkPromises(Map.of(), List.of());
            } catch (ControlException e) {
                // Others were promised something meanwhile; the container is there all the same.
                log.warning("slice " + slice.name(), String.valueOf(e.getMessage()));
            }
            return server;
        }
    }

    @Override
    public Optional<Operations.Made> mount(String name) throws IOException {
        synchronized (slices) {
            Optional<SliceServer> server = slices.find(name).filter(each -> !each.isClosed());
            if (server.isEmpty() || slices.user(name).isPresent()) {
                return Optional.empty();
            }
            mount(server.get());
            return Optional.of(server.get());
        }
    }

    @Override
    public void unmount(String name) {
        slices.unmount(name);
    }

    @Override
    public Slice changeMounted(Slice other) throws ControlException {
        slices.placer().check(other);
        SliceServer server;
        Slice before;
        Slice wanted;
        Optional<SliceMoved> left;
        synchronized (slices) {
            server =
                    slices.find(other.name())
                            .filter(each -> !each.isClosed())
                            .orElseThrow(() ->
                                    new ControlException("slice '" + other.name() + "' has ended"));
            before = server.slice();
            if (slices.placer().moves(before, other)) {
                server.checkChange(other);
                left = Optional.of(move(server, other));
                wanted = server.slice();
            } else {
                wanted = slices.placer().stays(before, other);
                server.checkChange(wanted);
                slices.placer().checkPromises(Map.of(wanted.name(), wanted), List.of());
                server.promise(wanted);
                left = Optional.empty();
            }
        }
        // Its worker may be slow to answer: nobody else has to wait for that.
        if (left.isPresent()) {
            left.get().close();
            return wanted;
        }
        try {
            server.change(wanted);
        } catch (IOException e) {
            server.promise(before);
            throw new ControlException("nothing was changed: " + e.getMessage(), e);
        }
        return wanted;
    }

    private SliceMoved move(SliceServer server, Slice other) throws ControlException {
        Placement.Placed placed = slices.placer().place(other, Map.of(), List.of(other.name()));
        try {
            SliceMoved moved = slices.move(server, placed.slice());
            slices.remember(other.name(), placed.why());
            return moved;
        } catch (IOException e) {
            throw new ControlException("nothing was changed: " + e.getMessage(), e);
        }
    }

    @Override
    public void remove(String name) {
        slices.remove(name);
    }
}
