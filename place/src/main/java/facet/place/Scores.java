package facet.place;

import java.util.Locale;

/** The scores by the names that files of policies have for them. */
enum Scores {
    BEST_FIT,
    PACKING,
    SPREADING,
    DOT_PRODUCT,
    FRAGMENTATION,
    CPU_BALANCE,
    TIGHT_DEVICE,
    TOPOLOGY,
    LEAST_PROMISED,
    FEWEST;

    Score score(Mix mix) {
        return switch (this) {
            case BEST_FIT -> new BestFit();
            case PACKING -> new Packing();
            case SPREADING -> new Spreading();
            case DOT_PRODUCT -> new DotProduct();
            case FRAGMENTATION -> new FragmentationGradient(mix);
            case CPU_BALANCE -> new CpuBalance(mix);
            case TIGHT_DEVICE -> new TightDevice();
            case TOPOLOGY -> new Topology();
            case LEAST_PROMISED -> new LeastPromised();
            case FEWEST -> new Fewest();
        };
    }

    /** As it is written: {@code best-fit}. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
