package facet.sim;

import facet.place.queue.Rules;
import java.util.List;

/** What is done for tasks that find no room, by name. */
public final class RuleSets {
    /** Each has what those before it have. */
    public static final List<String> NAMES = List.of("plain", "reserve", "preempt", "move");

    private static final int MOST_MOVES = 4;

    private RuleSets() {}

    /**
     * @throws IllegalArgumentException when there is none of that name
     */
    public static Rules named(String name) {
        int number = NAMES.indexOf(name);
        if (number < 0) {
            throw new IllegalArgumentException(
                    "there are no rules '" + name + "'; there are " + String.join(", ", NAMES));
        }
        return new Rules(
                number >= 1, number >= 2, number >= 3 ? MOST_MOVES : 0, Rules.LostWork.COUNTED);
    }
}
