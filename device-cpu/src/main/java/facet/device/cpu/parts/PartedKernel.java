package facet.device.cpu.parts;

import facet.device.Kernel;
import facet.ptx.rewrite.Rewritten;
import java.util.List;

/** A rewritten kernel without its hidden parameter. */
record PartedKernel(Kernel near, Rewritten.Kernel form) implements Kernel {

    /** The buffer with the hidden parameter behind the others. */
    byte[] arguments(byte[] given, byte[] hidden) {
        byte[] all = new byte[near.parameterBytes()];
        System.arraycopy(given, 0, all, 0, given.length);
        System.arraycopy(hidden, 0, all, form.offset(), hidden.length);
        return all;
    }

    @Override
    public String name() {
        return near.name();
    }

    @Override
    public List<Parameter> parameters() {
        return near.parameters().subList(0, near.parameters().size() - 1);
    }

    @Override
    public int parameterBytes() {
        List<Parameter> own = parameters();
        return own.isEmpty() ? 0 : own.getLast().offset() + own.getLast().bytes();
    }

    @Override
    public int staticShared() {
        return near.staticShared();
    }

    @Override
    public int local() {
        return near.local();
    }
}
