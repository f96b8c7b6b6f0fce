package facet.device.cpu.random;

import java.util.ArrayList;
import java.util.List;

/**
 * A random kernel's text as a tree. Any group can be left out and what remains is still a valid,
 * deterministic kernel.
 */
sealed interface Node {
    record Line(String text) implements Node {}

    record Group(List<Node> nodes) implements Node {
        static Group of(String... lines) {
            List<Node> nodes = new ArrayList<>();
            for (String each : lines) {
                nodes.add(new Line(each));
            }
            return new Group(nodes);
        }

        Group add(String... lines) {
            for (String each : lines) {
                nodes.add(new Line(each));
            }
            return this;
        }

        Group add(Group group) {
            nodes.add(group);
            return this;
        }

        String text() {
            StringBuilder text = new StringBuilder();
            append(this, text);
            return text.toString();
        }

        private static void append(Group group, StringBuilder text) {
            for (Node each : group.nodes) {
                switch (each) {
                    case Line line -> text.append(line.text()).append('\n');
                    case Group inner -> append(inner, text);
                }
            }
        }

        /** Groups inside, outer ones first. */
        int groups() {
            int count = 0;
            for (Node each : nodes) {
                if (each instanceof Group inner) {
                    count += 1 + inner.groups();
                }
            }
            return count;
        }

        /** The same without the n-th group inside, counted as {@link #groups} does. */
        Group without(int n) {
            List<Node> kept = new ArrayList<>();
            int left = n;
            for (Node each : nodes) {
                if (each instanceof Group inner && left >= 0) {
                    int count = inner.groups();
                    if (left == 0) {
                        left = -1;
                    } else if (left <= count) {
                        kept.add(inner.without(left - 1));
                        left = -1;
                    } else {
                        left -= 1 + count;
                        kept.add(inner);
                    }
                } else {
                    kept.add(each);
                }
            }
            return new Group(kept);
        }
    }
}
