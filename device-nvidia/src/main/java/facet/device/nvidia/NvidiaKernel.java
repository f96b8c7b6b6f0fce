package facet.device.nvidia;

import facet.device.Kernel;
import facet.device.KernelInfo;
import facet.ptx.rewrite.Rewritten;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A function of the driver's.
 *
 * @param form how its launches come in parts; null: they are whole
 * @param usesHeap whether its module has functions that ask for memory
 * @param prints whether its module has functions that print, or asserts
 * @param textures what its module does with textures and surfaces
 */
record NvidiaKernel(
        long function,
        KernelInfo info,
        Rewritten.@Nullable Kernel form,
        boolean usesHeap,
        boolean prints,
        Textures textures,
        BlockPace pace)
        implements Kernel {
    /** In the order of what it needs. */
    enum Textures {
        NONE,
        READ,
        WRITTEN
    }

    @Override
    public String name() {
        return info.name();
    }

    @Override
    public List<Parameter> parameters() {
        return info.parameters();
    }

    @Override
    public int parameterBytes() {
        return info.parameterBytes();
    }

    @Override
    public int staticShared() {
        return info.staticShared();
    }

    @Override
    public int local() {
        return info.local();
    }

    /** The buffer with the hidden parameter behind the others. */
    byte[] arguments(byte[] given, byte[] hidden) {
        if (form == null) {
            return given;
        }
        byte[] all = new byte[form.offset() + form.bytes()];
        System.arraycopy(given, 0, all, 0, Math.min(given.length, form.offset()));
        System.arraycopy(hidden, 0, all, form.offset(), hidden.length);
        return all;
    }
}
