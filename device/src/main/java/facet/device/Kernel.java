package facet.device;

import java.util.List;

/** A kernel that can be launched. */
public interface Kernel {
    String name();

    /** In the order of the declaration; offsets are those in the parameter buffer. */
    List<Parameter> parameters();

    int parameterBytes();

    /** Bytes of static shared memory of a block. */
    int staticShared();

    /** Bytes of local memory of a thread. */
    int local();

    record Parameter(int offset, int bytes, int alignment) {}
}
