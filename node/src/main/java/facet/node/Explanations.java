package facet.node;

import facet.doors.control.ControlException;
import facet.node.pool.Pool;
import facet.node.server.SliceServer;
import facet.slices.DeviceSet;
import facet.slices.Explanation;
import facet.slices.Placement;
import facet.slices.Settings;
import facet.slices.Slice;
import facet.slices.document.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Tells why slices are where they are, and where others would go. Changes nothing. */
final class Explanations {
    private final NodeSlices slices;
    private final Pool pool;

    Explanations(NodeSlices slices, Pool pool) {
        this.slices = slices;
        this.pool = pool;
    }

    /**
     * @param name of a slice that is there, or of none with what it would be
     */
    Map<String, Object> of(String name, Settings settings) throws ControlException {
        synchronized (slices) {
            Optional<Slice> there =
                    slices.find(name).filter(each -> !each.isClosed()).map(SliceServer::slice);
            if (there.isEmpty() && !name.isEmpty() && settings.isEmpty()) {
                throw new ControlException(
                        "there is no slice '"
                                + name
                                + "'"
                                + Nearest.hint(
                                        name,
                                        slices.all().stream()
                                                .map(each -> each.slice().name())
                                                .toList(),
                                        "say what it would have, such as memory and compute"));
            }
            if (there.isPresent() && !settings.isEmpty()) {
                throw new ControlException(
                        "there is a slice '"
                                + name
                                + "' already; leave out what another would have, or its name");
            }
            Slice wanted = there.isPresent() ? anywhere(there.get()) : wanted(name, settings);
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("slice", name);
            there.ifPresent(slice -> {
                answer.put("onDevices", slice.devices().numbers());
                if (slice.devices().isElsewhere()) {
                    answer.put("node", slice.devices().site().node());
                }
                answer.put(
                        "placed",
                        slices.reason(name)
                                .orElse("it was there before this daemon, or changed nothing"));
            });
            tell(slices.placer().explain(wanted), answer);
            answer.put("elsewhere", pool.explainRows(wanted));
            if (slices.placer().explain(wanted).chosen().isEmpty() && pool.isJoined()) {
                tellElsewhere(pool.place(wanted), answer);
            }
            return answer;
        }
    }

    private Slice wanted(String name, Settings settings) throws ControlException {
        try {
            Slice wanted =
                    settings.slice(name.isEmpty() ? "new" : name, slices.defaults().of(name));
            slices.placer().check(wanted);
            return wanted;
        } catch (IllegalArgumentException e) {
            throw new ControlException(String.valueOf(e.getMessage()), e);
        }
    }

    /** What is there has its devices; where it would go is asked without them. */
    private static Slice anywhere(Slice slice) {
        return slice.withDevices(DeviceSet.any(slice.devices().count()));
    }

    /** Where there is no room here it goes to another node. */
    private static void tellElsewhere(Placement.Answer answer, Map<String, Object> told) {
        if (answer instanceof Placement.Placed placed) {
            told.put("chosenNode", placed.slice().devices().site().node());
            told.put("chosen", placed.slice().devices().numbers());
            told.put("why", placed.why());
        }
    }

    private static void tell(Explanation why, Map<String, Object> answer) {
        answer.put("fits", why.fits());
        answer.put("chosen", why.chosen());
        answer.put("why", why.why());
        answer.put("summary", why.summary());
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Explanation.Row each : why.devices()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("device", each.device());
            row.put("fits", each.lack() == Explanation.Lack.NOTHING);
            row.put("lack", each.lack().name().toLowerCase(Locale.ROOT).replace('_', '-'));
            row.put("memory", each.memory());
            row.put("memoryPromised", each.memoryPromised());
            row.put("timeRest", each.timeRest());
            row.put("words", each.words());
            rows.add(row);
        }
        answer.put("devices", rows);
    }
}
