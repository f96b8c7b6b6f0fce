package facet.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class ThreadTimesTest {
    private static final int SELF = (int) ProcessHandle.current().pid();

    @Test
    void onlyThreadsOfThatNameCountAlsoWhenTheyHaveEnded() throws Exception {
        ThreadTimes times = new ThreadTimes(SELF, "counted"::equals);
        assertEquals(0, times.nanos());
        CountDownLatch seen = new CountDownLatch(1);
        Thread thread =
                Thread.ofPlatform()
                        .name("counted")
                        .start(() -> {
                            while (seen.getCount() > 0) {
                                Thread.onSpinWait();
                            }
                        });
        long had = 0;
        while (had == 0) {
            had = times.nanos();
        }
        seen.countDown();
        thread.join();
        assertTrue(times.nanos() >= had);
        assertTrue(times.nanos() >= had);
    }

    @Test
    void aProcessThatIsNotThereHadNothing() throws Exception {
        assertEquals(0, new ThreadTimes(Integer.MAX_VALUE, name -> true).nanos());
    }
}
