package facet.ptx;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Interned names: an open-addressing table from spelling to a small number, so that the parser
 * allocates one string for a name however often the text repeats it.
 */
final class Names {
    /** Differs from run to run: a module cannot be written to make all names collide. */
    private static final int MULTIPLIER = ThreadLocalRandom.current().nextInt() | 0x1001;

    private int[] slots;
    private int[] hashes;
    private String[] texts;
    private int size;

    Names(int capacity) {
        slots = new int[Integer.highestOneBit(capacity) * 4];
        hashes = new int[capacity];
        texts = new String[capacity];
    }

    private Names(Names source) {
        slots = source.slots.clone();
        hashes = source.hashes.clone();
        texts = source.texts.clone();
        size = source.size;
    }

    Names copy() {
        return new Names(this);
    }

    int size() {
        return size;
    }

    String text(int id) {
        return texts[id];
    }

    int intern(String text) {
        char[] characters = text.toCharArray();
        return intern(characters, 0, characters.length);
    }

    int intern(char[] source, int start, int end) {
        int hash = end - start;
        for (int i = start; i < end; i++) {
            hash = hash * MULTIPLIER + source[i];
        }
        hash ^= hash >>> 15;
        int mask = slots.length - 1;
        int slot = hash & mask;
        while (slots[slot] != 0) {
            int id = slots[slot] - 1;
            if (hashes[id] == hash && same(texts[id], source, start, end)) {
                return id;
            }
            slot = (slot + 1) & mask;
        }
        return add(new String(source, start, end - start), hash, slot);
    }

    private static boolean same(String text, char[] source, int start, int end) {
        int length = end - start;
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) != source[start + i]) {
                return false;
            }
        }
        return true;
    }

    private int add(String text, int hash, int slot) {
        if (size == texts.length) {
            texts = Arrays.copyOf(texts, size * 2);
            hashes = Arrays.copyOf(hashes, size * 2);
        }
        int id = size++;
        texts[id] = text;
        hashes[id] = hash;
        slots[slot] = id + 1;
        if (size * 2 > slots.length) {
            grow();
        }
        return id;
    }

    private void grow() {
        int[] larger = new int[slots.length * 2];
        int mask = larger.length - 1;
        for (int id = 0; id < size; id++) {
            int slot = hashes[id] & mask;
            while (larger[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            larger[slot] = id + 1;
        }
        slots = larger;
    }
}
