package facet.host.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Where a session has its segments. None overlaps another. By the session's thread. */
final class Mappings {
    private static final long LOWEST = 1L << 32;
    private static final long HIGHEST = 1L << 47;

    private final TreeMap<Long, Mapping> all = new TreeMap<>();
    private long version;

    /** Another one whenever something has changed. */
    long version() {
        return version;
    }

    int size() {
        return all.size();
    }

    Iterable<Mapping> values() {
        return all.values();
    }

    /** Whether something can be mapped there, at a multiple of the alignment. */
    boolean isFree(long address, long bytes, long alignment) {
        if (bytes <= 0 || bytes > HIGHEST || address % alignment != 0) {
            return false;
        }
        if (address < LOWEST || address > HIGHEST - bytes) {
            return false;
        }
        Map.Entry<Long, Mapping> before = all.lowerEntry(Math.addExact(address, bytes));
        return before == null || before.getValue().end() <= address;
    }

    /** What of it is mapped; the bytes are covered. */
    Iterable<Mapping> touched(long address, long bytes) {
        Long first = all.floorKey(address);
        return first == null || bytes == 0
                ? List.of()
                : all.subMap(first, Math.addExact(address, bytes)).values();
    }

    void add(Mapping mapping) {
        all.put(mapping.address(), mapping);
        version++;
    }

    /** The mappings of a range; none when it is not full of them, or ends inside of one. */
    List<Mapping> exactly(long address, long bytes) {
        List<Mapping> found = new ArrayList<>();
        long left = bytes;
        long at = address;
        while (left > 0) {
            Mapping next = all.get(at);
            if (next == null || next.bytes() > left) {
                return List.of();
            }
            found.add(next);
            at = next.end();
            left -= next.bytes();
        }
        return found;
    }

    void replace(List<Mapping> some, UnaryOperator<Mapping> change) {
        some.forEach(each -> all.put(each.address(), change.apply(each)));
        version++;
    }

    void remove(List<Mapping> some) {
        some.forEach(each -> all.remove(each.address()));
        version++;
    }

    /** Whether something is mapped at each of the bytes. */
    boolean covers(long address, long bytes) {
        if (bytes < 0 || bytes > HIGHEST || address < 0 || address > HIGHEST) {
            return false;
        }
        long at = address;
        long end = address + bytes; // bounded: below 2^48
        while (at < end) {
            Map.Entry<Long, Mapping> here = all.floorEntry(at);
            if (here == null || here.getValue().end() <= at) {
                return false;
            }
            at = here.getValue().end();
        }
        return true;
    }
}
