package facet.place.defrag;

/** Who can go elsewhere, and what that costs. */
public interface Movers {
    boolean canMove(int ticket);

    /** Not negative. */
    long cost(int ticket);
}
