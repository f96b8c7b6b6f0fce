package facet.place;

/** The device models of a cluster. */
public final class Models extends Names {
    public Models() {
        super("models of devices");
    }
}
