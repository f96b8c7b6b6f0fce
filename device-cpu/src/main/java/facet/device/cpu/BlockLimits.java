package facet.device.cpu;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Launch;
import facet.ptx.Extent;
import facet.ptx.Function;
import java.util.List;

/**
 * What a kernel's directives say about the size of its blocks (PTX ISA 11.4): {@code .maxntid}
 * bounds the number of threads, {@code .reqntid} fixes each extent.
 */
record BlockLimits(long mostThreads, List<Long> required) {
    static BlockLimits of(Function kernel) {
        long most = Long.MAX_VALUE;
        List<Long> required = List.of();
        for (Function.Directive each : kernel.directives()) {
            switch (each.name()) {
                case "maxntid" -> most = each.values().stream().reduce(1L, Extent::product);
                case "reqntid" -> required = each.values();
                default -> {}
            }
        }
        return new BlockLimits(most, required);
    }

    void check(String kernel, Launch.Dim block) {
        if (block.count() > mostThreads) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    "a block of "
                            + kernel
                            + " has at most "
                            + mostThreads
                            + " threads (.maxntid), not "
                            + block.count());
        }
        long[] extents = {block.x(), block.y(), block.z()};
        for (int i = 0; i < extents.length && !required.isEmpty(); i++) {
            if (extents[i] != (i < required.size() ? required.get(i) : 1)) {
                throw new DeviceException(
                        DeviceError.INVALID_VALUE,
                        "a block of "
                                + kernel
                                + " has "
                                + required
                                + " threads (.reqntid), not "
                                + block);
            }
        }
    }
}
