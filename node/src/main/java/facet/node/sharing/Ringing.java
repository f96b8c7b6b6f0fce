package facet.node.sharing;

import facet.os.Bell;
import facet.os.Bells;
import java.io.IOException;

/** How often a bell was rung since the last audit. For the broker's thread. */
final class Ringing {
    private final Bell bell;
    private int rings;
    private boolean muted;

    Ringing(Bell bell) {
        this.bell = bell;
    }

    Bell bell() {
        return bell;
    }

    /** It was rung once more: how often that makes. */
    int rang() {
        return ++rings;
    }

    /** True when it is not heard any more. */
    boolean mute(Bells bells) {
        try {
            bells.mute(bell);
            muted = true;
        } catch (IOException e) {
            return false; // closed meanwhile
        }
        return true;
    }

    /**
     * Begins to count anew, and hears one that was muted.
     *
     * @return whether it was rung since the last time
     */
    boolean hearAgain(Bells bells) throws IOException {
        boolean rung = rings > 0 || muted;
        rings = 0;
        if (muted) {
            muted = false;
            bells.listen(bell);
            bell.ring(); // for what was not heard
        }
        return rung;
    }
}
