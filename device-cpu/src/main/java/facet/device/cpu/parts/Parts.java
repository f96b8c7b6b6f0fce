package facet.device.cpu.parts;

import facet.ptx.rewrite.BlockForm;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;

/**
 * How launches are parted.
 *
 * @param size blocks of the next part, of so many that are left; it may be more than are left
 * @param resident blocks of a persistent launch, at most
 * @param stops whether persistent launches are also stopped by their flag, at any moment
 */
public record Parts(BlockForm form, LongUnaryOperator size, int resident, boolean stops) {

    /** Each launch in one part: what rewriting alone costs. */
    public static Parts whole(BlockForm form, int resident) {
        return new Parts(form, left -> left, resident, false);
    }

    /** So many blocks a part. */
    public static Parts of(BlockForm form, long blocks, int resident) {
        return new Parts(form, left -> blocks, resident, false);
    }

    /** Parts of any size, the same ones again for the same seed. */
    public static Parts random(BlockForm form, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        LongUnaryOperator size =
                left ->
                        switch (random.nextInt(4)) {
                            case 0 -> 1;
                            case 1 -> Math.max(1, left - 1);
                            case 2 -> left;
                            default -> random.nextLong(1, Math.max(2, left + 1));
                        };
        return new Parts(form, size, 1 + random.nextInt(5), form == BlockForm.PERSISTENT);
    }
}
