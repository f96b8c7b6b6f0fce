package facet.ptx.flow;

import java.util.HashSet;
import java.util.Set;

/**
 * Where a value may have its address from.
 *
 * <p>A value that is derived from roots by adding, masking and choosing keeps them; by the rule of
 * C a pointer plus a number stays in its object, so a number adds nothing. Every other operation (a
 * shift, a product, half of a register) makes a number of it; an address that is only a number
 * points anywhere.
 *
 * @param unknown it may point anywhere: it was loaded from memory or made elsewhere
 * @param piece it may be part of an address: of such pieces memory may put one together again
 */
record Provenance(Set<Root> roots, boolean unknown, boolean piece) {
    static final Provenance NUMBER = new Provenance(Set.of(), false, false);
    static final Provenance PIECE = new Provenance(Set.of(), false, true);
    static final Provenance UNKNOWN = new Provenance(Set.of(), true, true);
    static final Provenance OWN = of(new Root.Own());

    /** What an address is counted from. */
    sealed interface Root {
        /** The address that the parameter of the kernel holds at a byte offset. */
        record Parameter(int index, long offset) implements Root {}

        /** The address of the kernel's parameter itself. */
        record ParameterSpace(int index) implements Root {}

        /** A variable of the module in global or constant memory. */
        record Global(String name) implements Root {}

        /** Local and shared memory, which end with the block. */
        record Own() implements Root {}
    }

    static Provenance of(Root root) {
        return new Provenance(Set.of(root), false, false);
    }

    Provenance join(Provenance other) {
        if (equals(other) || other.equals(NUMBER)) {
            return this;
        }
        if (equals(NUMBER)) {
            return other;
        }
        Set<Root> all = roots;
        if (!roots.containsAll(other.roots)) {
            all = new HashSet<>(roots);
            all.addAll(other.roots);
            all = Set.copyOf(all);
        }
        return new Provenance(all, unknown || other.unknown, piece || other.piece);
    }

    /** What is left after an operation that no address survives. */
    Provenance number() {
        return roots.isEmpty() && !unknown && !piece ? NUMBER : PIECE;
    }

    /** Of a memory that holds such values: what a load of so many bits may find. */
    Provenance load(int bits) {
        if (bits < 64) {
            return number();
        }
        return piece ? join(UNKNOWN) : this;
    }

    boolean isOnlyOwn() {
        return !unknown && !roots.isEmpty() && roots.stream().allMatch(r -> r instanceof Root.Own);
    }
}
