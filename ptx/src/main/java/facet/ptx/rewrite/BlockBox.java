package facet.ptx.rewrite;

import java.util.ArrayList;
import java.util.List;

/**
 * Blocks of a grid that are launched together in the form {@link BlockForm#RANGES}: a grid of that
 * size, moved by the offset. Blocks are counted with x first, then y, then z; any range of them is
 * at most five boxes.
 */
public record BlockBox(int x, int y, int z, GridSize size) {

    /**
     * The boxes of a range, in order.
     *
     * @throws IllegalArgumentException when the grid has no such blocks
     */
    public static List<BlockBox> of(GridSize grid, long first, long count) {
        long blocks = grid.blocks();
        if (first < 0 || count < 0 || count > blocks || first > blocks - count) {
            throw new IllegalArgumentException(
                    count + " blocks from " + first + " on, of a grid of " + blocks);
        }
        List<BlockBox> boxes = new ArrayList<>(5);
        long row = grid.x();
        long plane = row * grid.y(); // no more than blocks(), which is exact
        long at = first;
        long left = count;
        while (left > 0) {
            long x = at % row;
            long y = at / row % grid.y();
            BlockBox next;
            if (x != 0 || left < row) {
                next = box(at, grid, new GridSize((int) Math.min(left, row - x), 1, 1));
            } else if (y != 0 || left < plane) {
                long rows = Math.min(left / row, grid.y() - y);
                next = box(at, grid, new GridSize(grid.x(), (int) rows, 1));
            } else {
                next = box(at, grid, new GridSize(grid.x(), grid.y(), (int) (left / plane)));
            }
            boxes.add(next);
            at += next.size.blocks();
            left -= next.size.blocks();
        }
        return List.copyOf(boxes);
    }

    private static BlockBox box(long at, GridSize grid, GridSize size) {
        return new BlockBox(
                (int) (at % grid.x()),
                (int) (at / grid.x() % grid.y()),
                (int) (at / grid.x() / grid.y()),
                size);
    }
}
