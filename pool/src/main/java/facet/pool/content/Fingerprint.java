package facet.pool.content;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/**
 * Tags of data, under a key that nobody else has. Blocks of 1 KiB become 32 bytes by NH (Black and
 * others, UMAC, 1999) with words of 64 bits, twice with the key shifted by a pair (Toeplitz): two
 * blocks that differ meet with a chance of 2^-128 for whoever does not know the key. SHA-256 makes
 * a tag of what is left. So it costs little more than reading the data, and SHA-256 alone would
 * cost more than TLS does. One thread at a time.
 */
final class Fingerprint {
    private static final int BLOCK = 1024;
    private static final int WORDS = BLOCK / Long.BYTES;
    private static final int SHIFT = 2;
    private static final int DIGEST = 4 * Long.BYTES;
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final long[] key = new long[WORDS + SHIFT];
    private final byte[] secret = new byte[DIGEST];
    private final byte[] last = new byte[BLOCK];
    private final byte[] sums = new byte[DIGEST];
    private final MessageDigest digest;

    Fingerprint(SecureRandom random) {
        for (int i = 0; i < key.length; i++) {
            key[i] = random.nextLong();
        }
        random.nextBytes(secret);
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    Tag of(byte[] data, int offset, int length) {
        digest.update(secret);
        int whole = length - length % BLOCK;
        for (int at = 0; at < whole; at += BLOCK) {
            sum(data, offset + at);
        }
        if (whole < length) {
            System.arraycopy(data, offset + whole, last, 0, length - whole);
            java.util.Arrays.fill(last, length - whole, BLOCK, (byte) 0);
            sum(last, 0);
        }
        LONG.set(sums, 0, (long) length);
        digest.update(sums, 0, Long.BYTES);
        ByteBuffer result = ByteBuffer.wrap(digest.digest());
        return new Tag(result.getLong(), result.getLong());
    }

    private void sum(byte[] data, int at) {
        long low = 0;
        long high = 0;
        long secondLow = 0;
        long secondHigh = 0;
        for (int i = 0; i < WORDS; i += 2) {
            long one = (long) LONG.get(data, at + i * Long.BYTES);
            long two = (long) LONG.get(data, at + (i + 1) * Long.BYTES);
            long a = one + key[i];
            long b = two + key[i + 1];
            long product = a * b;
            low += product;
            high +=
                    Math.unsignedMultiplyHigh(a, b)
                            + (Long.compareUnsigned(low, product) < 0 ? 1 : 0);
            a = one + key[i + SHIFT];
            b = two + key[i + SHIFT + 1];
            product = a * b;
            secondLow += product;
            secondHigh +=
                    Math.unsignedMultiplyHigh(a, b)
                            + (Long.compareUnsigned(secondLow, product) < 0 ? 1 : 0);
        }
        LONG.set(sums, 0, low);
        LONG.set(sums, Long.BYTES, high);
        LONG.set(sums, 2 * Long.BYTES, secondLow);
        LONG.set(sums, 3 * Long.BYTES, secondHigh);
        digest.update(sums);
    }
}
