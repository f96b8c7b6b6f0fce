package facet.pool.template;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * What a batch of records is written in. A number is seven bits a byte, the lowest first, and the
 * highest bit of a byte says that another one follows. A token is a number whose lowest two bits
 * are its kind:
 *
 * <pre>
 *   RUN n      the next n records are those of the history from the cursor on, which moves along
 *   CHANGED n  the next record is the one at the cursor, but for n changes:
 *              skip, count, bytes   skip from the end of the change before
 *   JUMP n     the cursor is n records before the end of the history
 *   NEW n      the n bytes of a record
 * </pre>
 *
 * The sequence number of a record that is not NEW is one more than that of the record before it.
 */
final class Words {
    static final int RUN = 0;
    static final int CHANGED = 1;
    static final int JUMP = 2;
    static final int NEW = 3;

    static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Words() {}
}
