package facet.jit.emit;

import facet.ptx.Instruction;
import facet.ptx.Operand;
import java.lang.classfile.TypeKind;
import java.util.IdentityHashMap;

/** Groups of accesses that one check covers, and the locals with the addresses that came of it. */
final class CheckedGroups {
    private final Unit unit;
    private final IdentityHashMap<AccessGroups.Group, Integer> groups = new IdentityHashMap<>();
    private AccessGroups accesses = AccessGroups.NONE;

    CheckedGroups(Unit unit) {
        this.unit = unit;
    }

    /** The groups of the run that is emitted next. */
    void begin(AccessGroups found) {
        accesses = found;
    }

    /** Emits the check of the group that begins here, if one does. */
    void open(int index) {
        AccessGroups.Group group = accesses.leading(index);
        if (group != null) {
            unit.faulting(() -> new Addresses(unit).pushGroup(group));
            int slot = unit.code.allocateLocal(TypeKind.LONG);
            unit.code.lstore(slot);
            groups.put(group, slot);
        }
    }

    /**
     * Pushes the address in this process of an access whose group was checked; false if it has
     * none.
     */
    boolean push(Instruction instruction, Operand.Address address) {
        AccessGroups.Group group = accesses.of(instruction);
        Integer slot = group == null ? null : groups.get(group);
        if (group == null || slot == null) {
            return false;
        }
        unit.code.lload(slot);
        if (address.offset() != group.low()) {
            unit.code.loadConstant(address.offset() - group.low()).ladd();
        }
        return true;
    }
}
