package facet.kube.names;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.sched.Policy;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ReaderTest {
    private static final long GIB = 1L << 30;

    private static Pod pod(Map<String, String> resources, Map<String, String> annotations) {
        Map<String, Quantity> limits = new HashMap<>();
        resources.forEach((name, text) -> limits.put(name, new Quantity(text)));
        return new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .withNamespace("default")
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("c")
                .withNewResources()
                .withLimits(limits)
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    /** {@code a=1 b=2}. */
    private static Map<String, String> words(@Nullable String text) {
        Map<String, String> words = new HashMap<>();
        for (String each : text == null ? new String[0] : text.split(" ", -1)) {
            words.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
        }
        return words;
    }

    private static Wish read(@Nullable String resources, @Nullable String annotations)
            throws NamesException {
        PodWish wish = new Reader(Family.ALL).read(pod(words(resources), words(annotations)));
        assertEquals(1, wish.containers().size());
        return wish.containers().getFirst();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "facet.dev/memory=1Gi facet.dev/compute=30, -, 1, 1024, 300, FIXED",
                "facet.dev/gpu=2 facet.dev/memory=1Gi, facet.dev/policy=burst, 2, 1024, 0, BURST",
                "-, facet.dev/memory=4GiB facet.dev/compute=25, 1, 4096, 250, FIXED",
                "-, facet.dev/memory=4Gi facet.dev/compute=25%, 1, 4096, 250, FIXED",
                "nvidia.com/gpu=1 nvidia.com/gpumem=3000 nvidia.com/gpucores=30, -, 1, 3000, 300, FIXED",
                "nvidia.com/gpu=2 nvidia.com/gpumem=3k, -, 2, 3000, 0, BURST",
                "aliyun.com/gpu-mem=8, -, 1, 8192, 0, BURST",
                "aliyun.com/gpu-mem=8 aliyun.com/gpu-count=2, -, 2, 4096, 0, BURST",
                "tencent.com/vcuda-core=20 tencent.com/vcuda-memory=8, -, 1, 2048, 200, FIXED",
                "nvidia.com/vgpu-number=1 nvidia.com/vgpu-memory=512 nvidia.com/vgpu-cores=5, -, 1, 512, 50, FIXED",
                "volcano.sh/vgpu-number=1 volcano.sh/vgpu-memory=512, -, 1, 512, 0, BURST",
                "vke.volcengine.com/mgpu-core=30 vke.volcengine.com/mgpu-memory=1024, -, 1, 1024, 300, FIXED",
                "-, sharedgpu/gpu_request=0.5 sharedgpu/gpu_limit=1.0 sharedgpu/gpu_mem=1073741824, 1, 1024, 500, BURST",
                "-, sharedgpu/gpu_request=0.5 sharedgpu/gpu_limit=0.5 sharedgpu/gpu_mem=1073741824, 1, 1024, 500, FIXED",
                "-, gpu-memory=2000, 1, 2000, 0, BURST",
            })
    void namesOfEachFamilySayTheSame(
            String resources,
            String annotations,
            int devices,
            int mebibytes,
            int thousandths,
            Policy policy)
            throws NamesException {
        Wish wish = read(resources, annotations);
        assertEquals(devices, wish.devices());
        assertEquals(new Wish.Memory.Bytes((long) mebibytes << 20), wish.memory());
        assertEquals(thousandths, wish.thousandths());
        assertEquals(policy, wish.policy());
    }

    @Test
    void partsOfMemoryDependOnTheDevice() throws NamesException {
        Wish half = read("nvidia.com/gpu=1 nvidia.com/gpumem-percentage=50", null);
        assertEquals(new Wish.Memory.Part(500), half.memory());
        assertEquals(12 * GIB, half.memory().bytes(24 * GIB));
        assertEquals(half.memory(), read(null, "gpu-fraction=0.5").memory());
        assertEquals(new Wish.Memory.All(), read("nvidia.com/gpu=1", null).memory());
    }

    @Test
    void hundredCoresOfTencentAreADevice() throws NamesException {
        Wish wish = read("tencent.com/vcuda-core=200 tencent.com/vcuda-memory=60", null);
        assertEquals(2, wish.devices());
        assertEquals(1000, wish.thousandths());
        assertEquals(new Wish.Memory.All(), wish.memory());
    }

    @Test
    void theFirstPriorityOfHamiIsTheHighest() throws NamesException {
        assertEquals(1, read("nvidia.com/gpu=1 nvidia.com/priority=0", null).priority());
        assertEquals(0, read("nvidia.com/gpu=1 nvidia.com/priority=1", null).priority());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "facet.dev/memory=1Gi nvidia.com/gpumem=3000|-|differ",
                "facet.dev/compute=101|-|is not within 0 and 100",
                "facet.dev/gpu=65|-|is not within 1 and 64",
                "facet.dev/memory=1|-|less than 1 MiB",
                "facet.dev/memory=99E|-|more than there can be",
                "aliyun.com/gpu-mem=999999999999|-|more than there can be",
                "tencent.com/vcuda-core=150|-|no whole number",
                "nvidia.com/gpu=1 nvidia.com/gpumem=1 nvidia.com/gpumem-percentage=50|-|differ",
                "-|facet.dev/memory=lots|is no size",
                "-|facet.dev/memory=1GiB facet.dev/policy=quick|there is no policy 'quick'",
                "-|facet.dev/memory=1GiB facet.dev/policy=fixed|without compute",
                "-|sharedgpu/gpu_request=0.5 sharedgpu/gpu_limit=0.7|write the request, or 1.0",
                "-|sharedgpu/gpu_request=-0.5|it is a part of a device",
                "-|gpu-fraction=1e9|it is a part of a device",
                "facet.dev/compute=30 facet.dev/burst=30|-|instead of compute",
                "-|facet.dev/memory=1GiB facet.dev/gang=g|one of them is missing",
                "-|facet.dev/memory=1GiB facet.dev/gang=g facet.dev/gang-size=0|is 1 to 4096",
            })
    void whatCannotBeIsRefusedInWords(String resources, String annotations, String words) {
        String message =
                String.valueOf(
                        assertThrows(NamesException.class, () -> read(resources, annotations))
                                .getMessage());
        assertTrue(message.contains(words), message);
    }

    @Test
    void namesThatAClusterDoesNotAcceptSayNothing() throws NamesException {
        Reader reader = new Reader(Family.parse("hami"));
        assertTrue(reader.read(pod(words("aliyun.com/gpu-mem=8"), Map.of())).isEmpty());
        assertTrue(reader.read(pod(words("nvidia.com/gpu=0"), Map.of())).isEmpty());
        assertEquals(Set.of(Family.FACET, Family.HAMI), reader.families());
    }

    @Test
    void whatThePodSaysIsForItsContainersThatAsk() throws NamesException {
        Pod pod =
                pod(
                        words("facet.dev/memory=1Gi"),
                        words("facet.dev/policy=priority facet.dev/priority=7"));
        pod.getSpec()
                .getContainers()
                .addFirst(
                        new io.fabric8.kubernetes.api.model.ContainerBuilder()
                                .withName("side")
                                .build());
        PodWish wish = new Reader(Family.ALL).read(pod);
        assertEquals(List.of("c"), wish.containers().stream().map(Wish::container).toList());
        assertEquals(7, wish.containers().getFirst().priority());
        assertEquals(Policy.PRIORITY, wish.containers().getFirst().policy());
    }
}
