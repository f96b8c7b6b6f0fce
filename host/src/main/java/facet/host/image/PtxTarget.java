package facet.host.image;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The architecture that a text of PTX is for. A device runs code of its own and all earlier ones;
 * code of one part (sm_90a) runs on that one alone, code of a family (sm_100f) on its later members
 * too.
 */
final class PtxTarget {
    private static final Pattern TARGET =
            Pattern.compile("^[ \t]*\\.target[ \t]+sm_(\\d{2,4})([af]?)", Pattern.MULTILINE);

    /** It stands in the first lines, behind comments. */
    private static final int HEAD = 16 << 10;

    private PtxTarget() {}

    /**
     * @param computeCapability of the device: 89 for 8.9
     */
    static void check(List<String> texts, int computeCapability) throws ImageException {
        for (String text : texts) {
            Matcher target = TARGET.matcher(text.substring(0, Math.min(text.length(), HEAD)));
            // What has none is for the parser to say.
            if (target.find()) {
                check(Integer.parseInt(target.group(1)), target.group(2), computeCapability);
            }
        }
    }

    private static void check(int architecture, String suffix, int device) throws ImageException {
        boolean runs =
                switch (suffix) {
                    case "a" -> architecture == device;
                    case "f" -> architecture / 10 == device / 10 && architecture <= device;
                    default -> architecture <= device;
                };
        if (!runs) {
            throw new ImageException(
                    ImageException.Kind.INVALID_PTX,
                    "the PTX is for sm_"
                            + architecture
                            + suffix
                            + ", and this device has compute capability "
                            + device / 10
                            + "."
                            + device % 10
                            + "; compile for compute_75, or start the daemon with another --profile");
        }
    }
}
