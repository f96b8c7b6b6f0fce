package facet.node.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.doors.control.ControlException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WishesTest {
    private static final int DEVICES = 3;

    /** Words NAME=VALUE; names of annotations have dots. */
    private static Optional<Wish> read(String words) throws ControlException {
        Map<String, String> environment = new LinkedHashMap<>();
        Map<String, String> annotations = new LinkedHashMap<>();
        for (String each : Arrays.asList(words.split(" ", -1))) {
            String[] both = each.split("=", 2);
            if (both.length == 2) {
                (both[0].contains(".") ? annotations : environment)
                        .put(both[0], both[1].replace('_', ' '));
            }
        }
        return Wishes.read(environment, annotations, DEVICES);
    }

    /** Settings as key=value, by the names of the settings. */
    private static String settings(String words) throws ControlException {
        Map<String, String> all = new TreeMap<>();
        read(words)
                .orElseThrow()
                .settings()
                .values()
                .forEach((setting, value) -> all.put(setting.key(), value));
        return all.toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    FACET_MEMORY=2g                                | {memory=2GiB}
                    FACET_COMPUTE=30                               | {compute=30%}
                    FACET_COMPUTE=30% FACET_POLICY=burst           | {compute=30%, policy=burst}
                    FACET_PRIORITY=7                               | {priority=7}
                    FACET_TURN=5ms                                 | {turn=5ms}
                    FACET_CALENDAR=mon-fri_08:00-20:00_80          | {calendar=mon-fri 08:00-20:00 80}
                    FACET_TIME_ZONE=Europe/Berlin                  | {timeZone=Europe/Berlin}
                    FACET_MULTIPROCESSORS=2                        | {multiprocessors=2}
                    FACET_DEVICES=2                                | {devices=2}
                    dev.facet.memory=512MiB                        | {memory=512MiB}
                    dev.facet.time-zone=UTC                        | {timeZone=UTC}
                    facet.dev/memory=512MiB dev.facet.memory=512MiB | {memory=512MiB}
                    facet.dev/compute=20                           | {compute=20%}
                    CUDA_DEVICE_MEMORY_LIMIT=1024m                 | {memory=1GiB}
                    CUDA_DEVICE_MEMORY_LIMIT=1048576k              | {memory=1GiB}
                    CUDA_DEVICE_MEMORY_LIMIT=1073741824            | {memory=1GiB}
                    CUDA_DEVICE_MEMORY_LIMIT_0=2g                  | {memory=2GiB}
                    CUDA_DEVICE_MEMORY_LIMIT_0=2g CUDA_DEVICE_MEMORY_LIMIT=1g | {memory=2GiB}
                    CUDA_DEVICE_MEMORY_LIMIT_0=2g CUDA_DEVICE_MEMORY_LIMIT_1=2048m | {devices=2, memory=2GiB}
                    CUDA_DEVICE_SM_LIMIT=25                        | {compute=25%}
                    CUDA_DEVICE_SM_LIMIT_0=25                      | {compute=25%}
                    CUDA_DEVICE_SM_LIMIT=100 FACET_MEMORY=1G       | {memory=1GiB}
                    ALIYUN_COM_GPU_MEM_CONTAINER=3 ALIYUN_COM_GPU_MEM_DEV=15 | {memory=3GiB}
                    ALIYUN_COM_GPU_MEM_CONTAINER=3000 ALIYUN_COM_GPU_MEM_DEV=15109 | {memory=3000MiB}
                    GPU_MEMORY_LIMIT=1536MiB                       | {memory=1536MiB}
                    FACET_GPU=0                                    | {device=0}
                    FACET_GPU=2,1                                  | {device=1,2}
                    FACET_GPU=1 FACET_DEVICES=2                    | {devices=2}
                    FACET_GPU_1=1                                  | {device=1}
                    FACET_GPU_2=2 FACET_GPU_0=0 FACET_GPU_x=1      | {device=0,2}
                    FACET_GPU_1=1 FACET_GPU=all                    | {devices=3}
                    FACET_GPU_1=1 FACET_GPU=0 FACET_GPU_2=         | {device=0,1}
                    FACET_GPU=1 FACET_GPU_2=2 dev.facet.gpu=0      | {device=0}
                    FACET_DEVICE=1 FACET_GPU=all                   | {device=1}
                    FACET_GPU=all                                  | {devices=3}
                    FACET_GPU=all FACET_DEVICES=2                  | {devices=2}
                    """)
    void everyNameHasItsMeaning(String words, String expected) throws ControlException {
        assertEquals(expected, settings(words));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    PATH=/bin HOME=/
                    FACET_SOCKET=/somewhere
                    FACET_MEMORY=
                    CUDA_DEVICE_MEMORY_LIMIT=0 CUDA_DEVICE_SM_LIMIT=0
                    CUDA_DEVICE_SM_LIMIT=100
                    ALIYUN_COM_GPU_MEM_DEV=15
                    FACET_SLICE=train
                    io.podman.annotations=x
                    """)
    void thisIsNoWish(String words) throws ControlException {
        assertEquals(Optional.empty(), read(words));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    FACET_MEMORY=much          | FACET_MEMORY=much: 'much' is no size; write it as 512M, 4G
                    FACET_MEMORY=2             | FACET_MEMORY=2: that is 2 bytes; write it with a unit, as 512MiB or 4GiB
                    FACET_COMPUTE=130          | FACET_COMPUTE=130: compute is 0 to 100 percent of a device
                    FACET_POLICY=fair          | FACET_POLICY=fair: there is no policy 'fair'; there are fixed, burst, priority, time-slice, tidal
                    FACET_PRIORITY=101         | FACET_PRIORITY=101: priority is 0 to 100
                    FACET_TURN=1h              | FACET_TURN=1h: '1h' is no length of time; write it as 20ms or 1s
                    FACET_TURN=20s             | FACET_TURN=20s: a turn lasts 1 ms to 10 s
                    FACET_DEVICES=0            | FACET_DEVICES=0: a slice has at least 1 device
                    FACET_GPU=one              | FACET_GPU=one: device is the number of a device
                    FACET_GPU_1=one            | FACET_GPU_1=one: device is the number of a device
                    dev.facet.memory=-1        | dev.facet.memory=-1: '-1' is no size
                    dev.facet.memroy=1g        | there is no annotation 'dev.facet.memroy'; did you mean 'dev.facet.memory'?
                    dev.facet.memory=1g facet.dev/memory=2g | dev.facet.memory is given in two ways, as '1g' and as '2g'
                    CUDA_DEVICE_MEMORY_LIMIT_0=lots | CUDA_DEVICE_MEMORY_LIMIT_0=lots: 'lots' is no size
                    CUDA_DEVICE_SM_LIMIT=half  | CUDA_DEVICE_SM_LIMIT=half: compute is 0 to 100 percent
                    ALIYUN_COM_GPU_MEM_CONTAINER=4GiB | ALIYUN_COM_GPU_MEM_CONTAINER=4GiB: it is a whole number of GiB
                    ALIYUN_COM_GPU_MEM_CONTAINER=16 ALIYUN_COM_GPU_MEM_DEV=15 | ALIYUN_COM_GPU_MEM_CONTAINER=16: more than the device has, ALIYUN_COM_GPU_MEM_DEV=15
                    GPU_MEMORY_LIMIT=2048      | GPU_MEMORY_LIMIT=2048: that is 2 KiB; write it with a unit
                    CUDA_DEVICE_MEMORY_LIMIT_0=1g CUDA_DEVICE_MEMORY_LIMIT_1=2g | differ; a slice has the same on each of its devices
                    CUDA_DEVICE_MEMORY_LIMIT=1g GPU_MEMORY_LIMIT=2g | CUDA_DEVICE_MEMORY_LIMIT=1g and GPU_MEMORY_LIMIT=2g differ; remove one of them, or say FACET_MEMORY
                    """)
    void whatCannotBeReadIsNamed(String words, String why) {
        ControlException refused = assertThrows(ControlException.class, () -> read(words));
        assertTrue(
                String.valueOf(refused.getMessage()).contains(why),
                () -> words + ": " + refused.getMessage());
    }

    @Test
    void ourOwnNamesWinOverForeignOnes() throws ControlException {
        assertEquals(
                "{memory=4GiB}",
                settings("FACET_MEMORY=4g CUDA_DEVICE_MEMORY_LIMIT=1g GPU_MEMORY_LIMIT=2g"));
        assertEquals(
                "{memory=4GiB}",
                settings("dev.facet.memory=4g CUDA_DEVICE_MEMORY_LIMIT=1g GPU_MEMORY_LIMIT=2g"));
        assertEquals(
                "{compute=40%, policy=burst}",
                settings("FACET_POLICY=burst CUDA_DEVICE_SM_LIMIT=40"));
    }

    @Test
    void thePlatformWinsOverTheImage() throws ControlException {
        assertEquals(
                "{compute=10%, memory=1GiB}",
                settings("dev.facet.memory=1g dev.facet.compute=10 FACET_MEMORY=8g"));
        // The image's memory stays; its policy would put the container before all others.
        assertEquals(
                "{compute=10%, memory=8GiB}",
                settings(
                        "dev.facet.compute=10 FACET_MEMORY=8g FACET_POLICY=priority"
                                + " FACET_PRIORITY=100 CUDA_DEVICE_SM_LIMIT=90"));
    }

    @Test
    void itIsToldWhoSaidIt() throws ControlException {
        assertEquals(
                "[CUDA_DEVICE_SM_LIMIT=40, FACET_MEMORY=4g]",
                read("FACET_MEMORY=4g CUDA_DEVICE_SM_LIMIT=40").orElseThrow().from().toString());
    }
}
