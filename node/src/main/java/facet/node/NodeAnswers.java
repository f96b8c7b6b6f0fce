package facet.node;

import facet.doors.control.ControlException;
import facet.doors.events.Events;
import facet.doors.history.History;
import facet.doors.metrics.Figures;
import facet.node.container.Containers;
import facet.node.pool.Pool;
import facet.node.server.HostPlace;
import facet.node.server.SliceServer;
import facet.slices.DeviceSet;
import facet.slices.Engine;
import facet.slices.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How the node is at the moment, for those who ask and those who look on. */
final class NodeAnswers {
    private final NodeDevices devices;
    private final NodeSlices slices;
    private final KeptSlices kept;
    private final Containers containers;
    private final History history;
    private final Events events;
    private final Pool pool;
    private final LentSlices lent;

    NodeAnswers(
            NodeDevices devices,
            NodeSlices slices,
            Pool pool,
            LentSlices lent,
            KeptSlices kept,
            Containers containers,
            History history,
            Events events) {
        this.devices = devices;
        this.slices = slices;
        this.pool = pool;
        this.lent = lent;
        this.kept = kept;
        this.containers = containers;
        this.history = history;
        this.events = events;
    }

    /** How much there is of everything. */
    Map<String, Object> counts() {
        List<SliceServer> current = slices.all();
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("devices", devices.count());
        answer.put("slices", current.size());
        answer.put("sessions", current.stream().mapToInt(e -> e.sessions().size()).sum());
        return answer;
    }

    List<Map<String, Object>> devices() {
        return devices.rows(slices, pool.node(), slices.refreshed());
    }

    List<Map<String, Object>> slices() {
        return slices(slices.refreshed());
    }

    private List<Map<String, Object>> slices(List<SliceServer> current) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (SliceServer each : current) {
            String name = each.slice().name();
            all.add(
                    SliceRows.slice(
                            each,
                            kept.isKept(name),
                            containers.ofSlice(name),
                            lent.node(name),
                            engine(each)));
        }
        return all;
    }

    private EngineChoice engine(SliceServer slice) {
        boolean container = containers.ofSlice(slice.slice().name()).isPresent();
        return slice.slice().devices().isElsewhere()
                ? new EngineChoice(Engine.FORWARDED, "its device is on another node")
                : EngineChoice.of(slice.slice(), devices.areSoftware(), container);
    }

    /** What a slice is, and why its programs come to the devices as they do. */
    Map<String, Object> explain(String name) throws ControlException {
        SliceServer server =
                slices.find(name)
                        .orElseThrow(() ->
                                new ControlException(
                                        "there is no slice '"
                                                + name
                                                + "'; 'facet slice list' shows them"));
        EngineChoice engine = engine(server);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("slice", name);
        answer.put("socket", server.socket().toString());
        answer.put("engine", engine.engine().text());
        answer.put("engineSaid", server.slice().driving().engine().text());
        answer.put("engineReason", engine.reason());
        answer.put("strict", server.slice().driving().strict());
        DeviceSet where = server.slice().devices();
        answer.put("onDevices", where.numbers());
        if (where.isElsewhere()) {
            answer.put("node", where.site().node());
        }
        answer.put(
                "placed",
                slices.reason(name).orElse("it was there before this daemon, or changed nothing"));
        Map<String, Object> settings = new LinkedHashMap<>();
        Settings.describe(server.slice(), devices.count())
                .forEach((setting, value) -> settings.put(setting.key(), value));
        answer.put("settings", settings);
        return answer;
    }

    List<Map<String, Object>> sessions() {
        List<Map<String, Object>> all = new ArrayList<>();
        for (SliceServer slice : slices.refreshed()) {
            for (HostPlace.HostedSession each : slice.sessions()) {
                all.add(SliceRows.session(slice, each));
            }
        }
        return all;
    }

    /** Workers are not asked: what they said a moment ago is enough for somebody who looks on. */
    Map<String, Object> live(Map<String, Object> status) {
        List<SliceServer> current = slices.all();
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("now", System.currentTimeMillis());
        answer.put("status", status);
        answer.put(
                "devices", LiveRows.devices(devices.rows(slices, pool.node(), current), history));
        answer.put("slices", LiveRows.slices(slices(current), history));
        answer.put("lastEvent", events.last());
        answer.put("pool", pool.status());
        answer.put("elsewhere", pool.deviceRows());
        return answer;
    }

    Figures figures() {
        List<SliceServer> current = slices.all();
        return new Figures(
                devices.figures(slices, current),
                current.stream().map(NodeFigures::slice).toList(),
                pool.links().stream().map(NodeFigures::link).toList(),
                events.counts());
    }
}
