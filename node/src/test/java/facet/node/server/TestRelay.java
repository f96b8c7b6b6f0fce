package facet.node.server;

import facet.device.Device;
import facet.doors.events.Events;
import facet.log.Log;
import facet.node.pool.RelayPlace;
import facet.node.pool.SessionLinks;
import facet.pool.content.ContentStore;
import facet.pool.identity.NodeIdentity;
import facet.pool.identity.PoolToken;
import facet.pool.link.Link;
import facet.pool.link.LinkServer;
import facet.pool.link.LinkTimes;
import facet.pool.relay.FarSession;
import facet.slices.Slice;
import facet.testkit.far.FarDevices;
import facet.testkit.net.Proxy;
import facet.testkit.net.Road;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A second node, without devices: its slices are those of the first one. */
final class TestRelay implements AutoCloseable {
    private final PoolToken token = PoolToken.generate();
    private final NodeIdentity near = NodeIdentity.of(token, "near");
    private final Map<String, SliceServer> slices = new ConcurrentHashMap<>();
    private final ContentStore store;
    private final List<Link> links = new CopyOnWriteArrayList<>();
    private final LinkServer server;
    private final Proxy proxy;
    private final Log log;

    /**
     * @param cuts milliseconds between two cuts; 0: none
     */
    TestRelay(int cuts, Log log) throws IOException {
        this(cuts, 64L << 20, log);
    }

    /**
     * @param kept bytes of what programs have sent that the node of the device keeps
     */
    TestRelay(int cuts, long kept, Log log) throws IOException {
        this.log = log;
        store = new ContentStore(kept);
        server =
                LinkServer.listen(
                        NodeIdentity.of(token, "far"),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        LinkTimes.USUAL,
                        link -> {
                            links.add(link);
                            return new FarSession(link, (_, slice) -> socket(slice), store, log);
                        },
                        log);
        long seed = new Random().nextLong();
        System.out.println("seed of cuts " + seed);
        proxy = Proxy.to(server.address(), Road.PLAIN, seed);
        if (cuts > 0) {
            proxy.cutEvery(Duration.ofMillis(cuts));
        }
    }

    private Path socket(String slice) throws IOException {
        SliceServer found = slices.get(slice);
        if (found == null) {
            throw new IOException("there is no slice " + slice);
        }
        return found.socket();
    }

    /** All links that were ever opened, as the node of the device sees them. */
    List<Link> links() {
        return links;
    }

    ContentStore store() {
        return store;
    }

    /** What programs of the second node see of a slice. */
    SliceServer slice(SliceServer far, List<Device> devices, Path folder, Events events)
            throws IOException {
        slices.put(far.slice().name(), far);
        Path second = Files.createDirectories(folder.resolve("near"));
        return SliceServer.open(
                far.slice(),
                devices.stream().map(FarDevices::of).toList(),
                second,
                (slice, _, ledger) -> new RelayPlace(new Other(slice.name()), ledger, log),
                events,
                log);
    }

    /** A slice that is there whoever asks. */
    private final class Other implements RelayPlace.Far {
        private final String slice;
        private final SessionLinks links = new SessionLinks();

        Other(String slice) {
            this.slice = slice;
        }

        @Override
        public String ensure() {
            return slice;
        }

        @Override
        public NodeIdentity identity() {
            return near;
        }

        @Override
        public InetSocketAddress address() {
            return proxy.address();
        }

        @Override
        public void change(Slice other) throws IOException {
            SliceServer far = slices.get(slice);
            if (far != null) {
                far.change(other.withDevices(far.slice().devices()));
            }
        }

        @Override
        public SessionLinks links() {
            return links;
        }

        @Override
        public void close() {
            // Its test does that.
        }
    }

    @Override
    public void close() {
        server.close();
        store.close();
        try {
            proxy.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
