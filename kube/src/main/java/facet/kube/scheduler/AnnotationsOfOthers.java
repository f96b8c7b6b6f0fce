package facet.kube.scheduler;

import facet.kube.ledger.Assignment;
import facet.kube.ledger.Given;
import facet.kube.names.Names;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/** What a binding writes on a pod: its placement, and for tools of others what they look for. */
final class AnnotationsOfOthers {
    private static final int GIBIBYTE = 30;

    private AnnotationsOfOthers() {}

    static Map<String, String> with(Assignment one, InstantSource clock) {
        Map<String, String> annotations = new HashMap<>();
        annotations.put(Names.PLACEMENT, one.placed().json());
        if (!one.aliyunDevice().isEmpty()) {
            // gpushare-scheduler-extender, pkg/utils/const.go: index of the device, GiB of the pod.
            long bytes = one.placed().containers().values().stream().mapToLong(Given::memory).sum();
            annotations.put("ALIYUN_COM_GPU_MEM_IDX", one.aliyunDevice());
            annotations.put("ALIYUN_COM_GPU_MEM_POD", Long.toString(bytes >> GIBIBYTE));
            annotations.put("ALIYUN_COM_GPU_MEM_ASSIGNED", "false");
            annotations.put(
                    "ALIYUN_COM_GPU_MEM_ASSUME_TIME",
                    Long.toString(Math.multiplyExact(clock.millis(), 1_000_000L)));
        }
        return annotations;
    }
}
