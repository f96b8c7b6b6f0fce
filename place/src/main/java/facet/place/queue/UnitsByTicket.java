package facet.place.queue;

import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Whose ticket it is. Tickets are small numbers, and whoever looks for victims asks for all. */
final class UnitsByTicket {
    private static final int FIRST_SIZE = 64;

    private @Nullable Unit[] units = new Unit[FIRST_SIZE];

    /** Nothing for a ticket of nobody here. */
    @Nullable Unit get(int ticket) {
        return ticket >= 0 && ticket < units.length ? units[ticket] : null;
    }

    void put(int ticket, Unit unit) {
        if (ticket >= units.length) {
            units = Arrays.copyOf(units, Math.max(ticket + 1, Math.multiplyExact(2, ticket)));
        }
        units[ticket] = unit;
    }

    @Nullable Unit remove(int ticket) {
        Unit unit = get(ticket);
        if (unit != null) {
            units[ticket] = null;
        }
        return unit;
    }

    void forEach(BiConsumer<Integer, Unit> each) {
        for (int ticket = 0; ticket < units.length; ticket++) {
            Unit unit = units[ticket];
            if (unit != null) {
                each.accept(ticket, unit);
            }
        }
    }
}
