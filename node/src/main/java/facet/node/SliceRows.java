package facet.node;

import facet.node.server.HostPlace;
import facet.node.server.SliceServer;
import facet.sched.Policy;
import facet.sched.Terms;
import facet.slices.Slice;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Slices and sessions as rows of an answer. What is not measured is left out. */
final class SliceRows {
    private SliceRows() {}

    /**
     * @param container that has it for itself
     * @param node another one that has it
     */
    static Map<String, Object> slice(
            SliceServer server,
            boolean kept,
            Optional<String> container,
            Optional<String> node,
            EngineChoice engine) {
        Slice slice = server.slice();
        Terms terms = slice.terms();
        boolean tidal = terms.policy() == Policy.TIDAL;
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", slice.name());
        row.put("socket", server.socket().toString());
        row.put("memory", slice.memory());
        row.put("memoryUsed", server.memoryUsed());
        put(row, "memoryResident", server.memoryResident());
        List<SliceServer.OnDevice> there = server.onDevices();
        row.put("devices", there.size());
        row.put("onDevices", on(slice, there));
        if (slice.devices().isElsewhere()) {
            row.put("node", slice.devices().site().node());
        }
        row.put("memoryUsedOn", there.stream().map(SliceServer.OnDevice::memory).toList());
        row.put("sessions", server.sessions().size());
        row.put("launches", server.launches());
        row.put("deviceNanos", server.deviceNanos());
        put(row, "waitNanos", server.waitNanos());
        row.put("faults", server.faults());
        row.put("lastFault", server.lastFault());
        row.put("policy", terms.policy().text());
        row.put("compute", terms.compute());
        row.put("priority", terms.priority());
        row.put("promised", terms.promised(Instant.now()));
        row.put("turnMillis", terms.turn().toMillis());
        row.put("calendar", terms.calendar().text());
        row.put("timeZone", tidal ? terms.calendar().zone().getId() : "");
        row.put("multiprocessors", terms.multiprocessors());
        row.put("isolation", slice.isolation().text());
        row.put("engine", engine.engine().text());
        row.put("engineReason", engine.reason());
        row.put("strict", slice.driving().strict());
        server.process()
                .ifPresent(own -> {
                    row.put("workerPid", own.pid());
                    row.put("workerMemory", own.memory());
                });
        row.put("kept", kept);
        container.ifPresent(id -> row.put("container", id));
        node.ifPresent(name -> row.put("forNode", name));
        return row;
    }

    /** By their numbers on the node that has them. */
    private static List<Integer> on(Slice slice, List<SliceServer.OnDevice> there) {
        return slice.devices().isElsewhere()
                ? slice.devices().numbers()
                : there.stream().map(SliceServer.OnDevice::device).toList();
    }

    private static void put(Map<String, Object> row, String key, OptionalLong value) {
        value.ifPresent(number -> row.put(key, number));
    }

    static Map<String, Object> session(SliceServer slice, HostPlace.HostedSession session) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("session", session.options().id());
        row.put("slice", slice.slice().name());
        row.put("pid", session.options().pid());
        row.put("program", session.options().program());
        slice.process().ifPresent(own -> row.put("workerPid", own.pid()));
        row.put("memoryUsed", session.memoryUsed());
        row.put("launches", session.launches());
        row.put("deviceNanos", session.deviceNanos());
        return row;
    }
}
