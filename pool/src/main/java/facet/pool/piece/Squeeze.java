package facet.pool.piece;

import io.airlift.compress.v3.Compressor;
import io.airlift.compress.v3.lz4.Lz4JavaCompressor;
import io.airlift.compress.v3.zstd.ZstdJavaCompressor;

/**
 * Whether to compress, and how, by what was measured: how fast the road is, how fast each way is
 * here, and how much it leaves of a sample of the piece. Compressing and sending go on at once, so
 * the slower of them counts. Data that does not get smaller is looked at ever more seldom.
 */
final class Squeeze {
    private static final int SAMPLE = 8 << 10;

    /** What it must be better by: it takes a core that programs may want. */
    private static final double LEAST_GAIN = 1.15;

    /** Pieces that are not looked at after many that did not get smaller. */
    private static final int MOST_REST = 32;

    private static final int WARM = 50;

    private final Road road;
    private final Way[] ways = {
        new Way(Forms.LZ4, new Lz4JavaCompressor(), 300e6),
        new Way(Forms.ZSTD, new ZstdJavaCompressor(), 60e6)
    };
    private final byte[] sample;
    private int rest;
    private int skipped;

    /** One way to compress. */
    private static final class Way {
        private final int form;
        private final Compressor compressor;

        /** Bytes a second, of late. */
        private double speed;

        private int tries;

        /**
         * @param usual what it does when its code is compiled: the first tries say nothing
         */
        Way(int form, Compressor compressor, double usual) {
            this.form = form;
            this.compressor = compressor;
            this.speed = usual;
        }

        int compress(byte[] from, int length, byte[] to, int at) {
            long begin = System.nanoTime();
            int count = compressor.compress(from, 0, length, to, at, to.length - at);
            double took = Math.max(1, System.nanoTime() - begin) / 1e9;
            double now = length / took;
            if (++tries > WARM) {
                speed += (now - speed) / 8;
            }
            return count;
        }
    }

    Squeeze(Road road) {
        this.road = road;
        int most = 0;
        for (Way each : ways) {
            most = Math.max(most, each.compressor.maxCompressedLength(SAMPLE));
        }
        sample = new byte[most];
    }

    /** Room that the result may take. */
    int mostBytes(int length) {
        int most = 0;
        for (Way each : ways) {
            most = Math.max(most, each.compressor.maxCompressedLength(length));
        }
        return most;
    }

    /**
     * Compresses if that pays.
     *
     * @return the way and behind it, shifted by 8, how many bytes there are; 0: it does not pay
     */
    long compress(byte[] from, int length, byte[] to, int at) {
        double rate = road.bytesPerSecond();
        if (rate == 0 || length < SAMPLE) {
            return 0;
        }
        if (skipped < rest) {
            skipped++;
            return 0;
        }
        skipped = 0;
        Way best = null;
        double most = rate * LEAST_GAIN;
        for (Way each : ways) {
            // What could never keep up need not be tried, but now and then it may have got faster.
            if (each.speed < most && rest < MOST_REST) {
                continue;
            }
            int left = each.compress(from, SAMPLE, sample, 0);
            double through = Math.min(each.speed, rate * SAMPLE / left);
            if (through > most) {
                most = through;
                best = each;
            }
        }
        if (best == null) {
            rest = Math.min(MOST_REST, 2 * rest + 1);
            return 0;
        }
        int count = best.compress(from, length, to, at);
        if (count >= length) {
            rest = Math.min(MOST_REST, 2 * rest + 1);
            return 0;
        }
        rest = 0;
        return (long) count << 8 | best.form;
    }
}
