package facet.node.link;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines that say for whom a text was written. */
final class Headers {
    private static final Pattern VERSION = Pattern.compile("\\.version\\s+(\\d{1,3})\\.(\\d{1,3})");
    private static final Pattern TARGET = Pattern.compile("\\.target\\s+sm_(\\d{1,4})[a-z]?");

    private Headers() {}

    /** The newest version and target of all. */
    static String merge(List<Unit> units) throws LinkException {
        int version = 0;
        int target = 0;
        for (Unit unit : units) {
            for (Declared each : unit.declared()) {
                if (each.what() != Declared.What.HEADER) {
                    continue;
                }
                String line = unit.source(each);
                Matcher number = VERSION.matcher(line);
                if (number.lookingAt()) {
                    version =
                            Math.max(
                                    version,
                                    Integer.parseInt(number.group(1)) * 1000
                                            + Integer.parseInt(number.group(2)));
                }
                Matcher architecture = TARGET.matcher(line);
                if (architecture.lookingAt()) {
                    target = Math.max(target, Integer.parseInt(architecture.group(1)));
                }
            }
        }
        if (version == 0 || target == 0) {
            throw new LinkException("no input says its .version and .target");
        }
        return ".version "
                + version / 1000
                + "."
                + version % 1000
                + "\n.target sm_"
                + target
                + "\n.address_size 64\n";
    }
}
