package facet.jit.runtime;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.internal.vm.vector.VectorSupport.SelectFromTwoVector;

/**
 * Orders in which lanes of two vectors become one: what lies side by side in memory, several values
 * for each lane, is parted and put together by these. Generated code passes them to the JVM's
 * intrinsic, as those of {@link RowIntrinsicsUnsafe}.
 */
public final class RowOrders {
    /** Lanes 0, 2, 4 and so on of both. */
    public static final IntVector EVENS_B32 = ints(0, 2, 0);

    /** Lanes 1, 3, 5 and so on of both. */
    public static final IntVector ODDS_B32 = ints(1, 2, 0);

    /** In turns the first lanes of both. */
    public static final IntVector FIRST_B32 = ints(0, 1, Lanes.COUNT);

    /** In turns the last lanes of both. */
    public static final IntVector LAST_B32 = ints(Lanes.COUNT / 2, 1, Lanes.COUNT);

    public static final LongVector EVENS_B64 = longs(0, 2, 0);
    public static final LongVector ODDS_B64 = longs(1, 2, 0);
    public static final LongVector FIRST_B64 = longs(0, 1, WideVectors.HALF);
    public static final LongVector LAST_B64 = longs(WideVectors.HALF / 2, 1, WideVectors.HALF);

    public static final SelectFromTwoVector<IntVector> PICK_B32 = IntVector::selectFrom;
    public static final SelectFromTwoVector<LongVector> PICK_B64 = LongVector::selectFrom;

    private RowOrders() {}

    /**
     * Numbers of lanes, those of the second vector from the length on.
     *
     * @param turns added to every second number, which then takes the place of its neighbour; 0:
     *     numbers go on by the step
     */
    private static int number(int lane, int first, int step, int turns) {
        return turns == 0 ? first + lane * step : first + lane / 2 * step + lane % 2 * turns;
    }

    private static IntVector ints(int first, int step, int turns) {
        int[] numbers = new int[Lanes.COUNT];
        for (int lane = 0; lane < numbers.length; lane++) {
            numbers[lane] = number(lane, first, step, turns);
        }
        return IntVector.fromArray(IntVector.SPECIES_PREFERRED, numbers, 0);
    }

    private static LongVector longs(int first, int step, int turns) {
        long[] numbers = new long[WideVectors.HALF];
        for (int lane = 0; lane < numbers.length; lane++) {
            numbers[lane] = number(lane, first, step, turns);
        }
        return LongVector.fromArray(LongVector.SPECIES_PREFERRED, numbers, 0);
    }
}
