package facet.place.preempt;

import java.util.List;

/**
 * Who may be made to leave, and what that costs. Those who began together leave together: they are
 * one unit, and a unit is a number.
 */
public interface Victims {
    /** Of whoever may not. */
    int NOBODY = -1;

    /** The unit of a ticket, or {@link #NOBODY}. */
    int unit(int ticket);

    /** Units of a lower level go first, whatever they cost. */
    long level(int unit);

    /** Of all its tickets, wherever they are; not negative. */
    long cost(int unit);

    /** Whether all of these may leave together. Of a set that may, every part may too. */
    boolean allows(List<Integer> units);
}
