package facet.sim;

/**
 * How nodes changed hands.
 *
 * @param drained nodes that took nothing new for a while, as they were to go
 * @param changed nodes that came to another pool
 * @param endedByThemselves tasks that were on a node while it drained, and ended
 * @param told tasks that had to leave, as they would not have ended in time
 */
public record Turns(int drained, int changed, int endedByThemselves, int told) {
    public static final Turns NONE = new Turns(0, 0, 0, 0);
}
