package facet.bench;

import java.util.List;

/** Which promises hold, of all that was measured. */
final class Promises {
    private Promises() {}

    static String text(List<Table> tables) {
        StringBuilder text = new StringBuilder();
        int held = 0;
        int missed = 0;
        for (Table table : tables) {
            for (Table.Promise each : table.promises()) {
                held += each.holds() ? 1 : 0;
                missed += each.holds() ? 0 : 1;
            }
            // A measurement that failed has broken what it would have measured.
            for (String each : table.failures()) {
                text.append("  no longer: ").append(table.name()).append(": ").append(each);
                text.append('\n');
            }
            for (String each : table.notes()) {
                text.append("  left out: ").append(table.name()).append(": ").append(each);
                text.append('\n');
            }
        }
        return "%d promises hold, %d do not%n%s".formatted(held, missed, text);
    }
}
