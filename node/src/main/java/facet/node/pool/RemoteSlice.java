package facet.node.pool;

import facet.pool.link.Link;
import facet.slices.Isolation;
import facet.slices.Setting;
import facet.slices.Settings;
import facet.slices.Site;
import facet.slices.Slice;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A slice of this node on another one: it is made there when it is needed, and made again when that
 * node was started anew. Whoever asks may wait for the other node.
 */
final class RemoteSlice {
    /** What this node says of it. */
    private static final Set<Setting> OTHERS =
            EnumSet.complementOf(
                    EnumSet.of(
                            Setting.NODE,
                            Setting.MODEL,
                            Setting.ISOLATION,
                            Setting.ENGINE,
                            Setting.STRICT));

    private final Supplier<Optional<Member>> members;
    private final String wish;
    private Slice slice;
    private @Nullable Link madeOver;
    private @Nullable String name;

    /**
     * @param members finds its node: another one when this one has joined the pool again
     * @param home this node's name
     */
    RemoteSlice(Supplier<Optional<Member>> members, String home, Slice slice) {
        this.members = members;
        this.slice = slice;
        this.wish = Slice.nameFrom(home + "." + slice.name());
    }

    String node() {
        return slice.devices().site().node();
    }

    Member member() throws IOException {
        return members.get().orElseThrow(() -> new IOException(unreachable("")));
    }

    /** Its name there, as far as is known. */
    synchronized Optional<String> name() {
        return Optional.ofNullable(name);
    }

    @SuppressWarnings("ReferenceEquality") // another link is another one
    private boolean isMade() {
        Link over = madeOver;
        return name != null
                && over != null
                && !over.isEnded()
                && members.get().map(each -> over == each.link()).orElse(false);
    }

    /** Its name there, where it is made unless it is there. */
    @SuppressWarnings("NullAway") // made: it has a name
    synchronized String ensure() throws IOException {
        if (isMade()) {
            return name;
        }
        Member member = member();
        Link over = connected(member);
        Talk.Answer answer = member.ask(over, Talk.Deed.MAKE, wish, settings(slice));
        name = answer.name();
        madeOver = over;
        return answer.name();
    }

    private Link connected(Member member) throws IOException {
        Link over = member.link();
        if (over == null || !member.isConnected()) {
            throw new IOException(unreachable(member.trouble()));
        }
        return over;
    }

    private String unreachable(String why) {
        return "node "
                + node()
                + ", which has the device of slice '"
                + slice.name()
                + "', cannot be reached"
                + (why.isEmpty() ? "" : " (" + why + ")")
                + "; see 'facet pool status'";
    }

    synchronized void change(Slice other) throws IOException {
        if (isMade()) {
            Member member = member();
            Talk.Answer _ =
                    member.ask(
                            connected(member),
                            Talk.Deed.CHANGE,
                            name().orElse(wish),
                            settings(other));
        }
        slice = other;
    }

    /** The other node has ended it. */
    synchronized boolean forget(String gone) {
        boolean mine = gone.equals(name);
        if (mine) {
            name = null;
            madeOver = null;
        }
        return mine;
    }

    /** Where nobody is told it goes with the link. */
    synchronized void remove() throws IOException {
        if (isMade() && member().isConnected()) {
            Member member = member();
            Talk.Answer _ =
                    member.ask(connected(member), Talk.Deed.REMOVE, name().orElse(wish), Map.of());
        }
        name = null;
        madeOver = null;
    }

    private static Map<String, String> settings(Slice slice) {
        Map<String, String> all = new HashMap<>();
        Slice there = slice.withDevices(slice.devices().at(Site.HERE));
        Settings.describe(there, 2)
                .forEach((setting, value) -> {
                    if (OTHERS.contains(setting)) {
                        all.put(setting.key(), value);
                    }
                });
        // Its own process it gets wherever it asks for one; to share one is the other node's word.
        if (slice.isolation() == Isolation.PROCESS) {
            all.put(Setting.ISOLATION.key(), Isolation.PROCESS.text());
        }
        return all;
    }
}
