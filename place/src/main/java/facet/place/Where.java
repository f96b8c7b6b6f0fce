package facet.place;

/**
 * Which nodes will do. The sets are bits; see {@link Names}.
 *
 * @param models of devices: one of these. Nobody asks for them who asks for no device
 * @param pools one of these
 * @param labels all of these
 */
public record Where(long models, long pools, long labels) {
    public static final Where ANYWHERE = new Where(Names.ANY, Names.ANY, 0);

    public static Where models(long models) {
        return new Where(models, Names.ANY, 0);
    }

    public Where inPools(long those) {
        return new Where(models, those, labels);
    }

    public Where withLabels(long those) {
        return new Where(models, pools, those);
    }
}
