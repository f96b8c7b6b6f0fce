package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import facet.cli.Table.Column;
import facet.sim.shape.Development;
import facet.sim.shape.Inference;
import java.util.Locale;

/** Days of clusters that {@code facet sim --shape} knows. docs/placing.md has their assumptions. */
@SuppressWarnings("ImmutableEnumChecker") // a table is never changed
enum SimShape {
    /** Many services with daily waves, on as few devices as keep a promise of latency. */
    INFERENCE(
            new Table(
                    Column.number("SEED", "seed"),
                    Column.number("SERVICES", "services"),
                    decimal("PEAKS", "peaks"),
                    Column.number("WHOLE DEVICES", "whole"),
                    Column.number("HARD PARTS", "fixed"),
                    Column.number("BURST", "shared"),
                    decimal("WORST P99 ms", "worst"),
                    decimal("PROMISED ms", "promise"),
                    decimal("IN USE % WHOLE", "wholeUtilisation"),
                    decimal("BURST", "sharedUtilisation"))) {
        @Override
        Object run(long seed) {
            return Inference.run(seed);
        }
    },
    /** Development environments on the devices of services. */
    DEVELOPMENT(
            new Table(
                    Column.number("SEED", "seed"),
                    Column.number("DEVICES", "devices"),
                    Column.number("SERVICES", "services"),
                    Column.number("ENVIRONMENTS BEFORE", "apart"),
                    Column.number("AFTER", "together"),
                    decimal("IN USE % BEFORE", "before"),
                    decimal("AFTER", "after"),
                    decimal("WORST P99 ms BEFORE", "worstBefore"),
                    decimal("AFTER", "worstAfter"),
                    decimal("PROMISED ms", "promise"))) {
        @Override
        Object run(long seed) {
            return Development.run(seed);
        }
    };

    private final Table table;

    SimShape(Table table) {
        this.table = table;
    }

    /** A record of figures. */
    abstract Object run(long seed);

    String text(JsonNode rows) {
        return table.of(rows);
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static Column decimal(String heading, String field) {
        return new Column(
                heading,
                true,
                row -> String.format(Locale.ROOT, "%.1f", row.path(field).asDouble()));
    }
}
