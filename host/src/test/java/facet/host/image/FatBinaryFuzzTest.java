package facet.host.image;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Broken images are refused, never by another exception than the typed one. */
class FatBinaryFuzzTest {
    private static final List<String> NAMES =
            List.of("k-speed", "k-size", "k-none", "k-arch", "k-elf", "k-debug");

    @Test
    void mutatedImages() {
        long seed = Long.getLong("facet.seed", 20261117);
        System.out.println("seed " + seed + " (-Dfacet.seed=" + seed + " repeats it)");
        Random random = new Random(seed);
        int refused = 0;
        int rounds = Integer.getInteger("facet.fuzz.rounds", 40_000);
        for (int i = 0; i < rounds; i++) {
            byte[] image = mutate(random, Images.read(NAMES.get(i % NAMES.size()) + ".fatbin"));
            try {
                for (FatBinaryEntry each : FatBinary.parse(image).entries()) {
                    if (each.isPtx()) {
                        each.text();
                    } else {
                        each.payload();
                    }
                }
            } catch (ImageException e) {
                refused++;
            } catch (RuntimeException | Error e) {
                fail("round " + i + " of seed " + seed, e);
            }
        }
        assertTrue(refused > rounds / 4, refused + " refused");
    }

    private static byte[] mutate(Random random, byte[] image) {
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            // Half of them where the headers of the first entry are.
            int at = random.nextInt(random.nextBoolean() ? 96 : image.length);
            switch (random.nextInt(4)) {
                case 0 -> image[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> image[at] = (byte) random.nextInt(256);
                case 2 -> Arrays.fill(image, at, Math.min(image.length, at + 8), (byte) -1);
                default -> {
                    int from = random.nextInt(image.length);
                    int length = Math.min(random.nextInt(32), image.length - Math.max(at, from));
                    System.arraycopy(image, from, image, at, length);
                }
            }
        }
        return random.nextInt(8) == 0 ? Arrays.copyOf(image, random.nextInt(image.length)) : image;
    }
}
