package facet.slices;

/**
 * How a slice's programs come to its devices.
 *
 * @param strict whether the direct engine refuses calls that have no rule; else they pass and are
 *     counted
 */
public record Driving(Engine engine, boolean strict) {
    /** Of a slice of which nobody said anything. */
    public static final Driving USUAL = new Driving(Engine.AUTO, false);
}
