package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Values that stay the same while a method runs: read once before all else, and kept in locals. */
final class Invariants {
    private final CodeBuilder code;
    private final Map<Object, Integer> slots = new HashMap<>();
    private final Map<Integer, Runnable> prologue = new LinkedHashMap<>();

    Invariants(CodeBuilder code) {
        this.code = code;
    }

    /** The local that holds the value, which {@code load} puts on the stack before all else. */
    int of(Object key, TypeKind kind, Runnable load) {
        Integer known = slots.get(key);
        if (known != null) {
            return known;
        }
        int slot = code.allocateLocal(kind);
        slots.put(key, slot);
        prologue.put(
                slot,
                () -> {
                    load.run();
                    code.storeLocal(kind, slot);
                });
        return slot;
    }

    void emit() {
        // Loading one value may ask for another.
        Map<Integer, Runnable> done = new HashMap<>();
        while (done.size() < prologue.size()) {
            Map<Integer, Runnable> todo = new LinkedHashMap<>(prologue);
            todo.keySet().removeAll(done.keySet());
            todo.forEach((slot, load) -> {
                done.put(slot, load);
                load.run();
            });
        }
    }

    void pushGridLong(String component) {
        code.lload(
                of(
                        component,
                        TypeKind.LONG,
                        () -> {
                            pushGrid();
                            code.invokevirtual(Unit.GRID, component, MethodTypeDesc.of(CD_long));
                        }));
    }

    void pushGridInt(String component) {
        code.iload(
                of(
                        component,
                        TypeKind.INT,
                        () -> {
                            pushGrid();
                            code.invokevirtual(Unit.GRID, component, MethodTypeDesc.of(CD_int));
                        }));
    }

    void pushGrid() {
        code.aload(Unit.BLOCK_SLOT).getfield(Unit.BLOCK, "grid", Unit.GRID);
    }

    void pushBlockInt(String field) {
        code.iload(
                of(
                        "block." + field,
                        TypeKind.INT,
                        () -> code.aload(Unit.BLOCK_SLOT).getfield(Unit.BLOCK, field, CD_int)));
    }

    void pushBlockLong(String field) {
        code.lload(
                of(
                        "block." + field,
                        TypeKind.LONG,
                        () -> code.aload(Unit.BLOCK_SLOT).getfield(Unit.BLOCK, field, CD_long)));
    }

    /** Pushes an array of the block: {@code state}, {@code ints} or {@code longs}. */
    void pushBlockArray(String field, ClassDesc type) {
        code.aload(
                of(
                        "block." + field,
                        TypeKind.REFERENCE,
                        () -> code.aload(Unit.BLOCK_SLOT).getfield(Unit.BLOCK, field, type)));
    }
}
