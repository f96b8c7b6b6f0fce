package facet.node.pool;

import facet.doors.control.ControlException;
import facet.log.Log;
import facet.pool.link.LaneKind;
import facet.pool.link.Link;
import facet.pool.link.LinkEnd;
import facet.pool.link.LinkViolation;
import facet.pool.link.Receiver;
import facet.slices.Setting;
import facet.slices.Settings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Another node that has called this one: it is told how this node is, and has slices here. They are
 * there as long as its link is.
 */
final class Visitor implements Receiver {
    /** More than a node has programs. */
    private static final int MOST_SLICES = 1024;

    private final Link link;
    private final Lender lender;
    private final Rules rules;
    private final Executor deeds;
    private final Log log;
    private final Set<String> slices = ConcurrentHashMap.newKeySet();
    private volatile @Nullable NodeNews news;
    private volatile boolean over;

    /** What visitors may do, and who wants to know of them. */
    interface Rules {
        /** Why no slices are made now; empty: they are. */
        Optional<String> refusal();

        void told(Visitor visitor, NodeNews news);

        void ended(Visitor visitor);
    }

    Visitor(Link link, Lender lender, Rules rules, Executor deeds, Log log) {
        this.link = link;
        this.lender = lender;
        this.rules = rules;
        this.deeds = deeds;
        this.log = log;
    }

    Link link() {
        return link;
    }

    String node() {
        return link.peer().node();
    }

    Optional<NodeNews> news() {
        return Optional.ofNullable(news);
    }

    int lent() {
        return slices.size();
    }

    /** Whether it is the one for which a slice was made. */
    boolean has(String slice) {
        return slices.contains(slice);
    }

    @Override
    public void receive(LaneKind lane, ByteBuffer message) throws IOException {
        switch (Talk.kind(message)) {
            case Talk.NEWS -> {
                NodeNews told = Talk.read(message, NodeNews.class);
                if (!told.node().equals(node())) {
                    throw new LinkViolation("news of another node");
                }
                news = told;
                rules.told(this, told);
            }
            case Talk.ASK -> {
                Talk.Ask ask = Talk.read(message, Talk.Ask.class);
                // To make a slice takes its time; what follows does not wait for that.
                deeds.execute(() -> perform(ask));
            }
            default -> throw new LinkViolation("a message that no member sends");
        }
    }

    private synchronized void perform(Talk.Ask ask) {
        Talk.Answer answer;
        try {
            answer = new Talk.Answer(ask.number(), deed(ask), "");
        } catch (ControlException | IllegalArgumentException e) {
            answer = new Talk.Answer(ask.number(), ask.name(), String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            log.say(Log.Level.ERROR, "pool", "a slice for " + node() + ": " + e);
            answer = new Talk.Answer(ask.number(), ask.name(), "a defect; see its log");
        }
        say(Talk.ANSWER, answer);
    }

    private String deed(Talk.Ask ask) throws ControlException {
        if (over) {
            throw new ControlException("the link has ended");
        }
        if (ask.deed() == Talk.Deed.MAKE) {
            Optional<String> refusal = rules.refusal();
            if (refusal.isPresent()) {
                throw new ControlException(refusal.get());
            }
            if (slices.size() >= MOST_SLICES) {
                throw new ControlException("it has " + MOST_SLICES + " slices here already");
            }
            String made = lender.make(node(), ask.name(), settings(ask.settings()));
            slices.add(made);
            return made;
        }
        if (!slices.contains(ask.name())) {
            throw new ControlException("it has no slice '" + ask.name() + "' here");
        }
        if (ask.deed() == Talk.Deed.CHANGE) {
            lender.change(ask.name(), settings(ask.settings()));
        } else {
            slices.remove(ask.name());
            lender.remove(ask.name());
        }
        return ask.name();
    }

    private static Settings settings(Map<String, String> values) {
        Map<Setting, String> all = new EnumMap<>(Setting.class);
        values.forEach((key, value) ->
                all.put(
                        Setting.of(key)
                                .orElseThrow(() ->
                                        new IllegalArgumentException(
                                                "it says '" + key + "', which is no setting")),
                        value));
        return new Settings(all);
    }

    private void say(byte kind, Object what) {
        try {
            Talk.send(link, kind, what);
        } catch (IOException e) {
            log.say(Log.Level.DEBUG, "pool", node() + ": " + e.getMessage());
        }
    }

    /** The first words. */
    void welcome(NodeNews own) {
        say(Talk.NEWS, own);
    }

    /** Tells how this node is, if that goes at once. */
    void tell(NodeNews own) {
        if (link.isConnected()) {
            say(Talk.NEWS, own);
        }
    }

    /** Looks whether its slices are there: who has deleted one has not asked it. */
    void look() {
        for (String each : List.copyOf(slices)) {
            if (!lender.isThere(each) && slices.remove(each)) {
                say(Talk.ANSWER, new Talk.Answer(0, each, "its node has deleted it"));
            }
        }
    }

    @Override
    public void ended(LinkEnd why, String text) {
        rules.ended(this);
        // Not here: a slice that is being made would hold up who ends the link.
        deeds.execute(this::giveBack);
    }

    private synchronized void giveBack() {
        over = true;
        for (String each : slices) {
            lender.remove(each);
        }
        slices.clear();
    }

    /** It has come again as another one: what it had before is nobody's. */
    void replaced() {
        deeds.execute(link::close);
    }
}
