package facet.sim;

import facet.place.Cluster;
import facet.place.Models;
import facet.place.Names;
import facet.place.Part;
import facet.place.Parts;
import facet.place.Share;
import facet.place.Traits;
import facet.place.Where;
import java.util.List;
import java.util.Set;

/** What nodes have and tasks want beside compute, in the columns of a trace; all may be missing. */
record Wishes(Models models, Names pools, Names labels) {
    Traits traits(Csv.Row row) throws TraceException {
        String pool = row.text(Column.POOL);
        Set<String> own = Set.copyOf(words(row.text(Column.LABELS)));
        pools.number(pool);
        words(row.text(Column.LABELS)).forEach(labels::number);
        return new Traits(
                pool,
                row.text(Column.ZONE),
                own,
                number(row, Column.DEVICE_MEMORY, 0),
                number(row, Column.ISLAND, 0),
                number(row, Column.PROMISED, Cluster.WHOLE),
                row.text(Column.DIVISION));
    }

    /** Of each device. */
    Share share(Csv.Row row, int devices) throws TraceException {
        if (devices == 0) {
            return Share.compute(0);
        }
        String part = row.text(Column.PART);
        if (!part.isEmpty()) {
            return Share.part(part(row, part));
        }
        int burst = number(row, Column.BURST, 0);
        return new Share(
                burst > 0 ? number(row, Column.THOUSANDTHS, 0) : row.number(Column.THOUSANDTHS),
                number(row, Column.DEVICE_MEMORY, 0),
                number(row, Column.CODEC, 0),
                number(row, Column.RENDER, 0),
                burst,
                null);
    }

    private static Part part(Csv.Row row, String text) throws TraceException {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw row.wrong(
                    "part is '"
                            + text
                            + "', and should be a division and a profile, such as"
                            + " a30-24gb/1g.6gb");
        }
        return Parts.named(text.substring(0, slash), text.substring(slash + 1));
    }

    Where where(Csv.Row row) throws TraceException {
        List<String> wanted = words(row.text(Column.LABELS));
        for (String each : wanted) {
            if (labels.set(List.of(each)) == 0) {
                throw row.wrong("no node has the label '" + each + "'");
            }
        }
        return new Where(
                set(models, row.text(Column.MODEL)),
                set(pools, row.text(Column.POOL)),
                labels.set(wanted));
    }

    /** All of them where nothing is said; none where no node has one. */
    private static long set(Names names, String text) {
        return text.isEmpty() ? Names.ANY : names.set(words(text));
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split("\\|"));
    }

    private static int number(Csv.Row row, Column column, int missing) throws TraceException {
        return row.text(column).isEmpty() ? missing : row.number(column);
    }
}
