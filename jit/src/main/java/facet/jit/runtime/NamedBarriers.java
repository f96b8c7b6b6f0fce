package facet.jit.runtime;

import facet.jit.runtime.Site.Operation;
import java.util.Arrays;

/** The sixteen barriers of a block, by number: who waits there, and whether that is enough. */
final class NamedBarriers {
    private final Site[] sites;
    private final int[] waiting = new int[16];
    private final int[] expected = new int[16];
    private final int[] combined = new int[16];

    NamedBarriers(Site[] sites) {
        this.sites = sites;
    }

    /** Opens what all have come to; whether anybody goes on. */
    boolean release(Block block) {
        int[] state = block.state;
        Arrays.fill(waiting, 0);
        Arrays.fill(expected, 0);
        int living = 0;
        int used = 0;
        boolean arrivals = false;
        for (int t = 0; t < block.threads; t++) {
            int s = state[t];
            if (s == Block.EXITED) {
                continue;
            }
            living++;
            if (s >= 0 || !sites[~s].operation().isNamedBarrier()) {
                continue;
            }
            Site site = sites[~s];
            int number = site.inputs().getFirst().at(block, t) & 15;
            if (site.operation() == Operation.BARRIER_ARRIVE) {
                block.arrived[number]++;
                state[t] = site.next();
                arrivals = true;
                continue;
            }
            int count = count(site, block, t);
            boolean value = reduces(site) && site.inputs().getLast().at(block, t) != 0;
            if (waiting[number] == 0) {
                combined[number] = 0;
            }
            waiting[number]++;
            combined[number] += value ? 1 : 0;
            expected[number] = count;
            used |= 1 << number;
        }
        int open = 0;
        for (int bits = used; bits != 0; bits &= bits - 1) {
            int number = Integer.numberOfTrailingZeros(bits);
            int wanted = expected[number] == 0 ? living : expected[number];
            if (waiting[number] + block.arrived[number] >= wanted) {
                open |= 1 << number;
                block.arrived[number] = 0;
            }
        }
        if (open == 0) {
            return arrivals;
        }
        for (int t = 0; t < block.threads; t++) {
            int s = state[t];
            if (s >= 0 || s == Block.EXITED || !sites[~s].operation().isNamedBarrier()) {
                continue;
            }
            Site site = sites[~s];
            int number = site.inputs().getFirst().at(block, t) & 15;
            if ((open >>> number & 1) != 0) {
                if (site.result() >= 0) {
                    block.ints[site.result() * block.threads + t] =
                            switch (site.operation()) {
                                case BARRIER_AND -> combined[number] == waiting[number] ? 1 : 0;
                                case BARRIER_OR -> combined[number] != 0 ? 1 : 0;
                                default -> combined[number];
                            };
                }
                state[t] = site.next();
            }
        }
        return true;
    }

    /** The barrier that all threads of a block open by reaching the site, or -1. */
    static int opened(Site site) {
        boolean simple =
                site.operation() == Operation.BARRIER
                        && site.inputs().size() == 1
                        && site.inputs().getFirst().slot() < 0;
        return simple ? (int) site.inputs().getFirst().constant() & 15 : -1;
    }

    private static boolean reduces(Site site) {
        return switch (site.operation()) {
            case BARRIER_POPC, BARRIER_AND, BARRIER_OR -> true;
            default -> false;
        };
    }

    private static int count(Site site, Block block, int t) {
        int inputs = site.inputs().size() - (reduces(site) ? 1 : 0);
        return inputs > 1 ? site.inputs().get(1).at(block, t) : 0;
    }
}
