package facet.node.pool;

import facet.device.Device;
import facet.doors.control.ControlException;
import facet.doors.events.Events;
import facet.host.ledger.LedgerMemory;
import facet.log.Log;
import facet.node.server.HostPlace;
import facet.node.server.RemoteDevice;
import facet.pool.identity.NodeIdentity;
import facet.pool.identity.PoolToken;
import facet.slices.DeviceSet;
import facet.slices.Engine;
import facet.slices.Placement;
import facet.slices.Site;
import facet.slices.Slice;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The pool as the daemon knows it: it is in none at first, makes one or joins one, and leaves it.
 * What is asked about placing is answered from what is known, and waits for nobody.
 */
public final class Pool implements AutoCloseable {
    /** A node that has just refused a slice comes behind the others for a while. */
    private static final long AVOIDED_NANOS = 3_000_000_000L;

    private final PoolFiles files;
    private final Events events;
    private final Log log;
    private final Set<RemoteSlice> slices = ConcurrentHashMap.newKeySet();
    private final Map<String, Long> avoided = new ConcurrentHashMap<>();
    private volatile @Nullable Membership membership;
    private @Nullable Lender lender;

    public Pool(PoolFiles files, Events events, Log log) {
        this.files = files;
        this.events = events;
        this.log = log;
    }

    Optional<Membership> membership() {
        return Optional.ofNullable(membership);
    }

    // ---- coming and going

    /**
     * Back in the pool of the daemon before this one, or in the one that its options say.
     *
     * @param own what this node has
     */
    public synchronized void start(PoolOptions options, Lender own) throws IOException {
        lender = own;
        if (options.isSaid()) {
            PoolToken token =
                    options.token().isPresent()
                            ? PoolFiles.readToken(options.token().get())
                            : files.loadToken();
            open(token, options.choice());
        } else if (files.isThere()) {
            open(files.loadToken(), files.loadChoice());
        }
    }

    private synchronized Membership open(PoolToken token, PoolChoice choice) throws IOException {
        try {
            Membership opened =
                    new Membership(
                            token, choice, Objects.requireNonNull(lender), this::gone, events, log);
            membership = opened;
            return opened;
        } catch (IOException e) {
            throw new IOException(
                    "cannot listen for the pool at "
                            + choice.listen().map(PoolAddress::toString).orElse("")
                            + ": "
                            + e.getMessage()
                            + "; choose another --pool-listen, or 'facet pool leave'",
                    e);
        }
    }

    /** Waits a moment for the others: slices that were there before may be on their devices. */
    public void awaitFirst(long millis) {
        membership().ifPresent(each -> each.awaitFirst(millis));
    }

    /** Makes a new pool with this node in it. */
    public synchronized Map<String, Object> init(PoolChoice choice) throws ControlException {
        checkOutside();
        PoolToken token = PoolToken.generate();
        enter(token, choice);
        return PoolRows.made(this, files);
    }

    public synchronized Map<String, Object> join(PoolToken token, PoolChoice choice)
            throws ControlException {
        checkOutside();
        enter(token, choice);
        awaitFirst(2000);
        return PoolRows.status(this);
    }

    private void checkOutside() throws ControlException {
        Membership now = membership;
        if (now != null) {
            throw new ControlException(
                    "this node is in pool "
                            + now.identity().pool()
                            + " already; 'facet pool leave' leaves it");
        }
    }

    private void enter(PoolToken token, PoolChoice choice) throws ControlException {
        try {
            Membership opened = open(token, choice);
            try {
                files.save(token, choice.at(opened.listens()));
            } catch (IOException e) {
                opened.close();
                membership = null;
                throw e;
            }
        } catch (IOException e) {
            throw new ControlException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * @param force also when slices are on other nodes; their programs end
     */
    public synchronized void leave(boolean force) throws ControlException {
        Membership now = in();
        if (!slices.isEmpty() && !force) {
            throw new ControlException(
                    slices.size()
                            + (slices.size() == 1 ? " slice is" : " slices are")
                            + " on other nodes; delete them first, or use --force to end what runs"
                            + " in them");
        }
        now.leave();
        try {
            files.delete();
        } catch (IOException e) {
            throw new ControlException("the pool's files cannot be removed: " + e.getMessage(), e);
        }
        membership = null;
        now.close();
    }

    /** Takes no new slices from now on, or takes them again. */
    public synchronized void drain(boolean drains) throws ControlException {
        Membership now = in();
        now.drain(drains);
        try {
            if (files.isThere()) {
                files.saveChoice(now.choice().at(now.listens()).draining(drains));
            }
        } catch (IOException e) {
            throw new ControlException("that cannot be kept: " + e.getMessage(), e);
        }
    }

    public boolean isDraining() {
        return membership().map(Membership::isDraining).orElse(false);
    }

    private Membership in() throws ControlException {
        return membership()
                .orElseThrow(() ->
                        new ControlException(
                                "this node is in no pool; 'facet pool init' makes one, 'facet join'"
                                        + " joins one"));
    }

    // ---- slices elsewhere

    /** Whether this node is the one that is meant. */
    public boolean isHere(Site site) {
        return !site.isNamed()
                || membership()
                        .map(each -> each.identity().node())
                        .equals(Optional.of(site.node()));
    }

    public boolean isJoined() {
        return membership != null;
    }

    private List<PoolPlacement.Candidate> candidates() {
        long now = System.nanoTime();
        avoided.values().removeIf(until -> until - now < 0);
        return membership().map(Membership::candidates).orElse(List.of());
    }

    /** Where a slice would go. */
    public Placement.Answer place(Slice wanted) {
        if (wanted.driving().engine() == Engine.DIRECT) {
            return new Placement.Refused(
                    "the direct engine needs the device on its own node; leave engine out, or write"
                            + " forwarded");
        }
        List<PoolPlacement.Candidate> all = candidates();
        List<PoolPlacement.Candidate> asked =
                all.stream().filter(each -> !avoided.containsKey(each.news().node())).toList();
        if (!isJoined()) {
            return new Placement.Refused(
                    "this node is in no pool; 'facet join' joins one that has devices");
        }
        Placement.Answer answer = PoolPlacement.of(wanted, asked, Instant.now());
        return answer instanceof Placement.Refused
                ? PoolPlacement.of(wanted, all, Instant.now())
                : answer;
    }

    List<PoolPlacement.Row> explain(Slice wanted) {
        return PoolPlacement.rows(wanted, candidates(), Instant.now());
    }

    /** What programs see of devices of another node. */
    public List<Device> devices(DeviceSet wanted) throws IOException {
        List<Device> all = new ArrayList<>();
        for (int number : wanted.numbers()) {
            DeviceNews device = news(wanted.site().node(), number);
            all.add(new RemoteDevice(device.profile(), device.uuid(), device.attributes()));
        }
        return all;
    }

    /** The most that a slice can have of each of them. */
    public List<Long> memories(DeviceSet wanted) throws IOException {
        List<Long> all = new ArrayList<>();
        for (int number : wanted.numbers()) {
            all.add(news(wanted.site().node(), number).lendable());
        }
        return all;
    }

    private DeviceNews news(String node, int number) throws IOException {
        return membership()
                .flatMap(each -> each.member(node))
                .flatMap(Member::news)
                .flatMap(news ->
                        news.devices().stream().filter(each -> each.device() == number).findFirst())
                .orElseThrow(() ->
                        new IOException("node " + node + " has no device " + number + " any more"));
    }

    /** What a device is called, if it is known. */
    public String model(DeviceSet where) {
        try {
            return news(where.site().node(), where.numbers().getFirst()).profile().name();
        } catch (IOException e) {
            return "";
        }
    }

    /** Where the sessions of a slice are hosted that has devices of another node. */
    public HostPlace hosts(Slice slice, LedgerMemory ledger) throws IOException {
        String node = slice.devices().site().node();
        Membership now = membership;
        if (now == null || now.member(node).isEmpty()) {
            throw new IOException("node " + node + " is in no pool with this one");
        }
        RemoteSlice remote =
                new RemoteSlice(
                        () -> membership().flatMap(each -> each.member(node)),
                        now.identity().node(),
                        slice);
        slices.add(remote);
        return new RelayPlace(new Remote(remote), ledger, log);
    }

    /** A slice of another node, and its way out of the books. */
    private final class Remote implements RelayPlace.Far {
        private final RemoteSlice slice;

        Remote(RemoteSlice slice) {
            this.slice = slice;
        }

        @Override
        public String ensure() throws IOException {
            try {
                return slice.ensure();
            } catch (IOException e) {
                avoided.put(slice.node(), System.nanoTime() + AVOIDED_NANOS);
                throw e;
            }
        }

        @Override
        public NodeIdentity identity() throws IOException {
            return membership()
                    .map(Membership::identity)
                    .orElseThrow(() -> new IOException("this node is in no pool any more"));
        }

        @Override
        public InetSocketAddress address() throws IOException {
            return slice.member().address().lookUp();
        }

        @Override
        public void change(Slice other) throws IOException {
            slice.change(other);
        }

        @Override
        public SessionLinks links() throws IOException {
            return slice.member().sessions();
        }

        @Override
        public void close() {
            slices.remove(slice);
            try {
                slice.remove();
            } catch (IOException e) {
                log.say(Log.Level.INFO, "pool", "a slice goes with its link: " + e.getMessage());
            }
        }
    }

    /** Another node has ended a slice: it is made again for the next program. */
    private void gone(Member member, String name) {
        for (RemoteSlice each : slices) {
            if (each.node().equals(member.node()) && each.forget(name)) {
                log.say(
                        Log.Level.INFO,
                        "pool",
                        "node " + member.node() + " has ended slice '" + name + "'");
            }
        }
    }

    // ---- for those who ask

    public Map<String, Object> status() {
        return PoolRows.status(this);
    }

    /** Devices of the others, as rows. */
    public List<Map<String, Object>> deviceRows() {
        return PoolRows.devices(this);
    }

    /** What was found out about a slice, device by device of the others. */
    public List<Map<String, Object>> explainRows(Slice wanted) {
        return PoolRows.explain(explain(wanted));
    }

    public List<LinkNews> links() {
        return PoolRows.links(this);
    }

    /** Its own devices belong to this node. */
    public Optional<String> node() {
        return membership().map(each -> each.identity().node());
    }

    @Override
    public synchronized void close() {
        Membership now = membership;
        membership = null;
        if (now != null) {
            now.close();
        }
    }
}
