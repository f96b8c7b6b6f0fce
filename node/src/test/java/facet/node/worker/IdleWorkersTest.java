package facet.node.worker;

import static facet.node.server.Patience.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who ends first. */
@Timeout(60)
class IdleWorkersTest {
    private final List<Integer> retired = new CopyOnWriteArrayList<>();

    private final class Numbered implements IdleWorkers.Idler {
        private final int number;
        private volatile boolean bad;

        Numbered(int number) {
            this.number = number;
        }

        @Override
        public void retire() {
            retired.add(number);
        }

        @Override
        public boolean isLookedAfter() {
            return true;
        }

        @Override
        public boolean mayStay() {
            return !bad;
        }
    }

    @Test
    void beyondANumberTheOldestEnd() throws Exception {
        try (IdleWorkers idle = new IdleWorkers(Duration.ofMinutes(5))) {
            for (int i = 0; i < IdleWorkers.MOST + 2; i++) {
                idle.add(new Numbered(i));
            }
            await(() -> retired.size() == 2, "too many stay");
            assertEquals(List.of(0, 1), List.copyOf(retired));
        }
    }

    @Test
    void oneThatMayNotStayEndsAndOthersStay() throws Exception {
        try (IdleWorkers idle = new IdleWorkers(Duration.ofMinutes(5))) {
            List<Numbered> all = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                all.add(new Numbered(i));
                idle.add(all.get(i));
            }
            all.get(1).bad = true;
            await(() -> retired.equals(List.of(1)), "it stays");
        }
    }
}
