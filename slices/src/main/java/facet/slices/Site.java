package facet.slices;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * On which node of a pool devices are, or are wanted.
 *
 * @param node its name, {@link #ANY}, {@link #NEAREST}, or empty: where nobody said it, and of a
 *     slice that has its devices this node
 * @param model a part of the devices' name, in whatever case; empty: any
 */
public record Site(String node, String model) {
    /** Where nobody said anything; of a slice that has its devices: here. */
    public static final Site HERE = new Site("", "");

    /** Whichever node has most left. */
    public static final String ANY = "any";

    /** The one to which the way is shortest. */
    public static final String NEAREST = "nearest";

    /** Names that no node can have. */
    public static final Set<String> WORDS = Set.of(ANY, NEAREST);

    private static final Pattern NODE =
            Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");
    private static final int LONGEST = 64;

    /** On a node that was found. */
    public static Site of(String node) {
        return new Site(node, "");
    }

    /** Whether it is a node of that name and no other. */
    public boolean isNamed() {
        return !node.isEmpty() && !WORDS.contains(node);
    }

    /** Whether a device of that name is what is wanted. */
    public boolean suits(String device) {
        return device.toLowerCase(Locale.ROOT).contains(model.toLowerCase(Locale.ROOT));
    }

    static String node(String text) {
        String name = text.strip();
        if (!NODE.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "node is the name of a node, any or nearest, not '"
                            + text
                            + "'; 'facet pool status' lists the nodes");
        }
        return name;
    }

    static String model(String text) {
        String part = text.strip();
        if (part.isEmpty()
                || part.length() > LONGEST
                || part.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "model is a part of a device's name, such as L4; 'facet devices' lists them");
        }
        return part;
    }
}
