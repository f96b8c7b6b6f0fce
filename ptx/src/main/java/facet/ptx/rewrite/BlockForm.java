package facet.ptx.rewrite;

import java.util.Locale;

/** How a rewritten kernel goes through the blocks of its launch. */
public enum BlockForm {
    /** A launch becomes several, each of a box of its blocks. */
    RANGES,

    /** A few blocks take the launch's blocks one after the other, until a flag stops them. */
    PERSISTENT;

    /** As people write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
