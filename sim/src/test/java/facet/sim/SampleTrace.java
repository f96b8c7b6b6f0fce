package facet.sim;

import facet.place.Models;
import facet.place.Node;
import facet.place.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A small cluster and its tasks, drawn from frequencies that are about those of a real one with GPU
 * sharing: half of the tasks want one whole device, a third a part of one, some none.
 */
final class SampleTrace {
    /** Of 1000 tasks: how many, devices, thousandths, processors, GiB. */
    private static final int[][] TASKS = {
        {130, 0, 0, 8, 16},
        {240, 1, 1000, 8, 30},
        {150, 1, 1000, 12, 32},
        {90, 1, 1000, 4, 16},
        {100, 1, 810, 8, 24},
        {32, 1, 810, 12, 24},
        {92, 1, 470, 6, 12},
        {40, 1, 320, 4, 8},
        {31, 1, 650, 8, 16},
        {17, 1, 230, 4, 8},
        {16, 1, 460, 6, 12},
        {18, 1, 550, 6, 12},
        {20, 1, 160, 2, 8},
        {12, 1, 110, 2, 8},
        {6, 8, 1000, 88, 320},
        {3, 4, 1000, 32, 120},
        {3, 2, 1000, 16, 60},
    };

    /** Of 60 nodes: how many, devices, processors, GiB. */
    private static final int[][] NODES = {{27, 8, 96, 384}, {19, 2, 104, 512}, {14, 2, 16, 120}};

    private static final List<String> MODELS = List.of("G2", "T4", "P100");

    private SampleTrace() {}

    static Trace draw(int tasks, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Models models = new Models();
        List<Node> nodes = new ArrayList<>();
        for (int kind = 0; kind < NODES.length; kind++) {
            for (int i = 0; i < NODES[kind][0]; i++) {
                int[] each = NODES[kind];
                models.number(MODELS.get(kind));
                nodes.add(
                        new Node(
                                MODELS.get(kind) + "-" + i,
                                MODELS.get(kind),
                                each[1],
                                each[2] * 1000,
                                each[3] * 1024));
            }
        }
        List<Task> all = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            int[] each = TASKS[kind(random.nextInt(1000))];
            long arrives = random.nextLong(100_000);
            Request request =
                    new Request(each[1], each[2], Models.ANY, each[3] * 1000, each[4] * 1024);
            all.add(new Task("t" + i, request, arrives, arrives + random.nextLong(50_000)));
        }
        return new Trace("sample", models, nodes, all);
    }

    private static int kind(int number) {
        int rest = number;
        for (int i = 0; i < TASKS.length; i++) {
            rest -= TASKS[i][0];
            if (rest < 0) {
                return i;
            }
        }
        throw new IllegalStateException("the frequencies do not add up to 1000");
    }
}
