package facet.node.pool;

import facet.doors.events.Events;
import facet.doors.events.Kind;
import facet.log.Log;
import facet.log.Who;
import facet.os.ProcessThreads;
import facet.pool.content.ContentStore;
import facet.pool.identity.NodeIdentity;
import facet.pool.identity.PoolToken;
import facet.pool.link.LaneKind;
import facet.pool.link.Link;
import facet.pool.link.LinkEnd;
import facet.pool.link.LinkServer;
import facet.pool.link.LinkTimes;
import facet.pool.link.Peer;
import facet.pool.link.Receiver;
import facet.pool.relay.FarSession;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * This node in its pool, from joining to leaving: it calls the others, listens for them, tells them
 * how it is. Its maps are concurrent; no lock is held while somebody is called or told.
 */
final class Membership implements Member.Watcher, Visitor.Rules, AutoCloseable {
    private static final long TICK_MILLIS = 100;

    /** How often others hear how this node is, when that has changed. */
    private static final int NEWS_TICKS = 5;

    /** How often they hear it anyway: some words were said while nobody could hear them. */
    private static final int AGAIN_TICKS = 20;

    /** A cut that is mended sooner is none that people hear of. */
    private static final long LOST_NANOS = 200_000_000L;

    /** A node that is away for longer, and that nobody named, is not called any more. */
    private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final NodeIdentity identity;
    private final PoolChoice choice;
    private final Lender lender;
    private final Events events;
    private final Log log;
    private final ExecutorService deeds =
            Executors.newCachedThreadPool(ProcessThreads.named("facet-pool-deeds").factory());

    /** By name. */
    private final Map<String, Member> members = new ConcurrentHashMap<>();

    /** Addresses whose name nobody knows yet. */
    private final Map<PoolAddress, Member> seeds = new ConcurrentHashMap<>();

    private final Set<Visitor> visitors = ConcurrentHashMap.newKeySet();
    private final Set<String> connected = ConcurrentHashMap.newKeySet();
    private final BiConsumer<Member, String> goneSlices;

    /** What programs of other nodes have sent here, for when they send it again. */
    private final ContentStore contents;

    private final @Nullable LinkServer server;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean draining;
    private volatile boolean leaving;
    private @Nullable NodeNews told;

    /**
     * @param goneSlices is told when another node has ended a slice of this one
     */
    Membership(
            PoolToken token,
            PoolChoice choice,
            Lender lender,
            BiConsumer<Member, String> goneSlices,
            Events events,
            Log log)
            throws IOException {
        this.identity = NodeIdentity.of(token, choice.node());
        this.choice = choice;
        this.lender = lender;
        this.goneSlices = goneSlices;
        this.events = events;
        this.log = log.limited();
        this.draining = choice.draining();
        this.contents = new ContentStore(ContentStore.USUAL_BYTES);
        this.server =
                choice.listen().isPresent()
                        ? LinkServer.listen(
                                identity,
                                choice.listen().get().lookUp(),
                                LinkTimes.USUAL,
                                Arriving::new,
                                log)
                        : null;
        for (PoolAddress each : choice.seeds()) {
            Member seed = new Member(identity, "", each, true, this, this.log);
            seeds.put(each, seed);
            seed.start();
        }
        ProcessThreads.named("facet-pool-news").start(this::keepTelling);
    }

    // ---- how it is

    NodeIdentity identity() {
        return identity;
    }

    PoolChoice choice() {
        return choice;
    }

    /** Where it listens: the port that it got. */
    Optional<PoolAddress> listens() {
        return server == null
                ? Optional.empty()
                : choice.listen()
                        .map(each -> new PoolAddress(each.host(), server.address().getPort()));
    }

    Optional<LinkServer> server() {
        return Optional.ofNullable(server);
    }

    List<Member> members() {
        List<Member> all = new ArrayList<>(members.values());
        all.sort(java.util.Comparator.comparing(Member::node));
        return all;
    }

    /** Those of which nothing is known but where they should be. */
    List<Member> unreached() {
        return List.copyOf(seeds.values());
    }

    List<Visitor> visitors() {
        return List.copyOf(visitors);
    }

    Optional<Member> member(String node) {
        return Optional.ofNullable(members.get(node));
    }

    void drain(boolean drains) {
        draining = drains;
    }

    boolean isDraining() {
        return draining;
    }

    List<PoolPlacement.Candidate> candidates() {
        return members().stream()
                .filter(Member::isConnected)
                .flatMap(each ->
                        each.news().stream()
                                .map(news ->
                                        new PoolPlacement.Candidate(news, each.roundTripNanos())))
                .toList();
    }

    /** Waits until those that were named have answered, not for long. */
    void awaitFirst(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            while (!(seeds.isEmpty() && members.values().stream().allMatch(Member::isConnected))
                    && System.nanoTime() - end < 0
                    && !closed.await(10, TimeUnit.MILLISECONDS)) {
                // Those that are not there are not waited for any longer.
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- who comes

    /** A link of which nobody knows yet whether it is for a session. */
    private final class Arriving implements Receiver {
        private final Link link;
        private @Nullable Receiver to;

        Arriving(Link link) {
            this.link = link;
        }

        private synchronized Receiver to(LaneKind lane, ByteBuffer message) throws IOException {
            if (to == null) {
                boolean talks = lane == LaneKind.COMMANDS && Talk.kind(message) == Talk.NEWS;
                to = talks ? visit(link) : session(link);
            }
            return to;
        }

        @Override
        public void receive(LaneKind lane, ByteBuffer message) throws IOException {
            to(lane, message).receive(lane, message);
        }

        @Override
        public void changed(boolean isConnected) {
            Receiver known = known();
            if (known != null) {
                known.changed(isConnected);
            }
        }

        private synchronized @Nullable Receiver known() {
            return to;
        }

        @Override
        public void ended(LinkEnd why, String text) {
            Receiver known = known();
            if (known != null) {
                known.ended(why, text);
            }
        }
    }

    private Visitor visit(Link link) {
        Visitor visitor = new Visitor(link, lender, this, deeds, log);
        for (Visitor each : visitors) {
            // It was started anew: who is connected stays, two may have one name by mistake.
            if (each.node().equals(visitor.node())
                    && !each.link().peer().equals(link.peer())
                    && !each.link().isConnected()) {
                each.replaced();
            }
        }
        visitors.add(visitor);
        deeds.execute(() -> visitor.welcome(own()));
        return visitor;
    }

    private FarSession session(Link link) {
        return new FarSession(link, (_, slice) -> socket(link.peer(), slice), contents, log);
    }

    /** Only who has asked for a slice gets into it. */
    private Path socket(Peer peer, String slice) throws IOException {
        for (Visitor each : visitors) {
            if (each.link().peer().equals(peer) && each.has(slice)) {
                return lender.socket(slice);
            }
        }
        throw new IOException("node " + peer.node() + " has no slice '" + slice + "' here");
    }

    @Override
    public Optional<String> refusal() {
        return draining
                ? Optional.of("it drains, and takes no new slices; another node may have room")
                : Optional.empty();
    }

    @Override
    public void told(Visitor visitor, NodeNews news) {
        if (!news.address().isEmpty() && !news.leaving()) {
            learn(news.node(), PoolAddress.parse(news.address()));
        }
    }

    @Override
    public void ended(Visitor visitor) {
        visitors.remove(visitor);
    }

    // ---- who is called

    private void learn(String node, PoolAddress address) {
        if (node.equals(identity.node()) || closed.getCount() == 0 || leaving) {
            return;
        }
        Member known = members.get(node);
        if (known != null) {
            known.listensAt(address);
            return;
        }
        if (seeds.containsKey(address)) {
            return; // it is being called
        }
        Member made = new Member(identity, node, address, false, this, log);
        if (members.putIfAbsent(node, made) == null) {
            made.start();
        }
    }

    @Override
    public boolean reached(Member member, String name) {
        if (name.equals(identity.node())) {
            member.unwanted(
                    "it has this node's name, "
                            + name
                            + ": it is this one, or 'facet join --name' gives another");
            return false;
        }
        seeds.remove(member.address(), member);
        Member known = members.putIfAbsent(name, member);
        if (!member.node().isEmpty() && !member.node().equals(name)) {
            // Another node is there now; whoever looked for the first one does not find it.
            members.remove(member.node(), member);
        }
        return known == null || known == member;
    }

    @Override
    public void told(Member member, NodeNews news) {
        if (connected.add(member.node())) {
            events.add(
                    Kind.NODE_CONNECTED,
                    Who.part("pool"),
                    "node " + member.node() + " at " + member.address() + ", " + what(news));
        }
        if (news.leaving()) {
            deeds.execute(() -> {
                members.remove(member.node(), member);
                member.close();
            });
            return;
        }
        news.others().forEach(each -> learn(each.node(), PoolAddress.parse(each.address())));
    }

    private static String what(NodeNews news) {
        int count = news.devices().size();
        return count + (count == 1 ? " device" : " devices");
    }

    @Override
    public void gone(Member member, String slice, String why) {
        goneSlices.accept(member, slice);
    }

    @Override
    public void ended(Member member) {
        if (connected.remove(member.node())) {
            events.add(
                    Kind.NODE_LOST,
                    Who.part("pool"),
                    "node " + member.node() + ": " + member.trouble());
        }
    }

    // ---- telling

    @Override
    public NodeNews own() {
        List<NodeNews.Other> others = new ArrayList<>();
        for (Member each : members()) {
            if (each.isConnected()) {
                others.add(new NodeNews.Other(each.node(), each.address().toString()));
            }
        }
        return new NodeNews(
                identity.node(),
                advertised().map(PoolAddress::toString).orElse(""),
                leaving,
                draining,
                lender.sessions(),
                visitors.stream().mapToInt(Visitor::lent).sum(),
                lender.devices(),
                others);
    }

    /**
     * Where others find this node: who listens everywhere says the address by which it goes out.
     */
    private Optional<PoolAddress> advertised() {
        Optional<PoolAddress> listens = listens();
        if (listens.isEmpty() || !listens.get().lookUp().getAddress().isAnyLocalAddress()) {
            return listens;
        }
        for (Member each : members.isEmpty() ? unreached() : members()) {
            try (DatagramSocket probe = new DatagramSocket()) {
                // Nothing is sent: the system only says which way it would take.
                InetSocketAddress there = each.address().lookUp();
                if (!there.isUnresolved()) {
                    probe.connect(there);
                    return Optional.of(
                            new PoolAddress(
                                    probe.getLocalAddress().getHostAddress(),
                                    listens.get().port()));
                }
            } catch (SocketException | java.io.UncheckedIOException e) {
                log.say(Log.Level.DEBUG, "pool", "no way to " + each.address());
            }
        }
        return Optional.empty();
    }

    private void keepTelling() {
        boolean wasFull = draining && lender.sessions() > 0;
        for (int tick = 0; ; tick++) {
            try {
                if (closed.await(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
                    return;
                }
                look();
                if (tick % NEWS_TICKS == 0) {
                    tellIfNew(tick % AGAIN_TICKS == 0);
                    boolean full = draining && lender.sessions() > 0;
                    if (draining && wasFull && !full) {
                        events.add(
                                Kind.NODE_EMPTY, Who.part("pool"), "no program uses its devices");
                    }
                    wasFull = full;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException e) {
                log.say(Log.Level.ERROR, "pool", "telling of itself: " + e);
            }
        }
    }

    private void look() {
        for (Member each : List.copyOf(members.values())) {
            if (each.silentNanos() > LOST_NANOS && connected.remove(each.node())) {
                events.add(
                        Kind.NODE_LOST,
                        Who.part("pool"),
                        "node "
                                + each.node()
                                + (each.trouble().isEmpty() ? "" : ": " + each.trouble()));
            } else if (each.isConnected() && connected.add(each.node())) {
                events.add(
                        Kind.NODE_CONNECTED, Who.part("pool"), "node " + each.node() + " is back");
            }
            if (each.silentNanos() > FORGOTTEN_NANOS && !each.isSeed()) {
                members.remove(each.node(), each);
                deeds.execute(each::close);
            }
        }
        visitors.forEach(Visitor::look);
    }

    private synchronized void tellIfNew(boolean anyway) {
        NodeNews own = own();
        if (anyway || !own.equals(told)) {
            told = own;
            tell(own);
        }
    }

    private void tell(NodeNews own) {
        visitors.forEach(each -> each.tell(own));
        members.values().forEach(each -> each.tell(own));
    }

    /** Says goodbye: others do not look for it any more. */
    void leave() {
        leaving = true;
        tell(own());
    }

    @Override
    public void close() {
        closed.countDown();
        List<Member> called = new ArrayList<>(members.values());
        called.addAll(seeds.values());
        List<Thread> closing = new ArrayList<>();
        for (Member each : called) {
            closing.add(Thread.ofVirtual().start(each::close));
        }
        LinkServer listening = server;
        if (listening != null) {
            closing.add(Thread.ofVirtual().start(listening::close));
        }
        for (Thread each : closing) {
            try {
                each.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        deeds.shutdown();
        contents.close();
    }
}
