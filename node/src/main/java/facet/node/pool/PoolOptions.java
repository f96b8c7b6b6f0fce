package facet.node.pool;

import facet.node.container.Bounds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the daemon's command line says of its pool.
 *
 * @param token file with the pool's secret
 * @param listen where others find this node
 * @param most what a slice of another node may have
 */
public record PoolOptions(
        Optional<Path> token,
        Optional<PoolAddress> listen,
        List<PoolAddress> seeds,
        Optional<String> node,
        Bounds most) {
    public static final PoolOptions NONE =
            new PoolOptions(
                    Optional.empty(), Optional.empty(), List.of(), Optional.empty(), Bounds.NONE);

    /** Whether it says which pool; otherwise what was kept counts. */
    boolean isSaid() {
        return token.isPresent() || listen.isPresent() || !seeds.isEmpty();
    }

    PoolChoice choice() {
        return new PoolChoice(node.orElseGet(PoolChoice::usualName), listen, seeds, false);
    }

    /** As options come, one by one. */
    public static final class Given {
        private Optional<Path> token = Optional.empty();
        private Optional<PoolAddress> listen = Optional.empty();
        private final List<PoolAddress> seeds = new ArrayList<>();
        private Optional<String> node = Optional.empty();
        private Bounds most = Bounds.NONE;

        public void token(Path file) {
            token = Optional.of(file.toAbsolutePath());
        }

        public void listen(String text) {
            listen = Optional.of(PoolAddress.parse(text));
        }

        /** One or several with commas. */
        public void seeds(String text) {
            for (String each : text.split(",", -1)) {
                seeds.add(PoolAddress.parse(each));
            }
        }

        public void node(String name) {
            node = Optional.of(name);
        }

        public void most(String text) {
            most = Bounds.parse(text, Bounds.Whose.NODE);
        }

        /**
         * @throws IllegalArgumentException when it makes no sense
         */
        public PoolOptions options() {
            PoolOptions all = new PoolOptions(token, listen, seeds, node, most);
            if (node.isPresent() || all.isSaid()) {
                PoolChoice _ = all.choice();
            }
            return all;
        }
    }
}
