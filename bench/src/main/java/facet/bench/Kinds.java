package facet.bench;

import facet.bench.Workload.Data;
import facet.device.Launch.Dim;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The table of kinds; bench/README.md explains it and bench/baseline/kinds.c has the same. */
final class Kinds {
    private static final int ROWS = 1 << 16;
    private static final int ENTRIES = 36 * ROWS;
    private static final Dim BLOCK = Dim.of(256);
    private static final Dim FEW = Dim.of(64);

    static final List<Kind> ALL =
            List.of(
                    copy("copy_u8", 1 << 24),
                    copy("copy_u16", 1 << 23),
                    copy("copy_v4", 1 << 20),
                    new Kind(
                            "scan",
                            "scan",
                            Dim.of(1 << 12),
                            BLOCK,
                            List.of(),
                            () -> words(1 << 20, 1 << 20),
                            4415872695823L),
                    new Kind(
                            "sort",
                            "sort",
                            Dim.of(1 << 11),
                            BLOCK,
                            List.of(),
                            () -> words(1 << 20, 1 << 20),
                            4414762119852L),
                    new Kind(
                            "transpose",
                            "transpose",
                            Dim.of(128, 128),
                            Dim.of(16, 16),
                            List.of(1 << 11),
                            () -> words(1 << 22, 1 << 22),
                            17650609025214L),
                    new Kind(
                            "spmv",
                            "spmv",
                            Dim.of(ROWS / 256),
                            BLOCK,
                            List.of(ROWS),
                            Kinds::matrix,
                            40946495.646273054),
                    new Kind(
                            "collatz",
                            "collatz",
                            Dim.of(1 << 10),
                            BLOCK,
                            List.of(256),
                            () -> words(1 << 18, 1 << 18),
                            5502305342L),
                    new Kind(
                            "hash64",
                            "hash64",
                            Dim.of(1 << 12),
                            BLOCK,
                            List.of(8),
                            () -> words(1 << 21, 1 << 21),
                            8836594807291L),
                    new Kind(
                            "crc",
                            "crc",
                            Dim.of(1 << 8),
                            BLOCK,
                            List.of(),
                            Kinds::chunks,
                            277174341147L),
                    new Kind(
                            "half_steps",
                            "half",
                            Dim.of(1 << 12),
                            BLOCK,
                            List.of(),
                            Kinds::halves,
                            2762542918745L),
                    new Kind(
                            "black_scholes",
                            "black_scholes",
                            Dim.of(1 << 12),
                            BLOCK,
                            List.of(1 << 20, 0.02f, 0.3f),
                            () -> Data.floats(new float[2 << 20], Inputs.values(0, 3 << 20)),
                            4597873293.09));

    private Kinds() {}

    static List<String> names() {
        return ALL.stream().map(Kind::name).toList();
    }

    private static Kind copy(String name, int count) {
        return new Kind(
                name,
                "copy",
                FEW,
                BLOCK,
                List.of(count),
                () -> words(1 << 22, 1 << 22),
                17654869009630L);
    }

    private static Data words(int input, int output) {
        return data(new int[output], Inputs.words(0, input));
    }

    private static Data data(int[] output, int[]... inputs) {
        return new Data(
                List.of(inputs).stream().map(MemorySegment::ofArray).toList(),
                MemorySegment.ofArray(output),
                true);
    }

    /** Halves from 0.5 to 1. */
    private static Data halves() {
        int[] words = Inputs.words(0, 1 << 19);
        for (int i = 0; i < words.length; i++) {
            words[i] = words[i] & 0x03ff03ff | 0x38003800;
        }
        return data(new int[1 << 19], words);
    }

    /** Rows of 4 to 35 entries each. */
    private static Data matrix() {
        int[] lengths = Inputs.words(0, ROWS);
        int[] starts = new int[ROWS + 1];
        for (int row = 0; row < ROWS; row++) {
            starts[row + 1] = starts[row] + 4 + (lengths[row] & 31);
        }
        int[] columns = Inputs.words(1, ENTRIES);
        for (int i = 0; i < columns.length; i++) {
            columns[i] &= ROWS - 1;
        }
        return new Data(
                List.of(
                        MemorySegment.ofArray(starts),
                        MemorySegment.ofArray(columns),
                        MemorySegment.ofArray(Inputs.values(2, ENTRIES)),
                        MemorySegment.ofArray(Inputs.values(3, ROWS))),
                MemorySegment.ofArray(new float[ROWS]),
                false);
    }

    private static Data chunks() {
        int[] table = new int[256];
        for (int i = 0; i < table.length; i++) {
            int sum = i;
            for (int bit = 0; bit < 8; bit++) {
                sum = (sum & 1) != 0 ? sum >>> 1 ^ 0xedb88320 : sum >>> 1;
            }
            table[i] = sum;
        }
        return data(new int[1 << 16], table, Inputs.words(0, 1 << 20));
    }
}
