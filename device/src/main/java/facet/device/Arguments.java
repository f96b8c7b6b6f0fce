package facet.device;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Puts values where a kernel's parameters are. */
final class Arguments {
    private Arguments() {}

    static byte[] pack(Kernel kernel, Object[] values) {
        List<Kernel.Parameter> parameters = kernel.parameters();
        if (values.length != parameters.size()) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    kernel.name()
                            + " takes "
                            + parameters.size()
                            + " arguments, not "
                            + values.length);
        }
        byte[] bytes = new byte[kernel.parameterBytes()];
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < values.length; i++) {
            Kernel.Parameter parameter = parameters.get(i);
            int size = put(buffer.position(parameter.offset()), values[i]);
            if (size != parameter.bytes()) {
                throw new DeviceException(
                        DeviceError.INVALID_VALUE,
                        "argument "
                                + i
                                + " of "
                                + kernel.name()
                                + " has "
                                + size
                                + " bytes, the kernel wants "
                                + parameter.bytes());
            }
        }
        return bytes;
    }

    private static int put(ByteBuffer buffer, Object value) {
        int start = buffer.position();
        switch (value) {
            case Long v -> buffer.putLong(v);
            case Integer v -> buffer.putInt(v);
            case Short v -> buffer.putShort(v);
            case Byte v -> buffer.put(v);
            case Float v -> buffer.putFloat(v);
            case Double v -> buffer.putDouble(v);
            case byte[] v -> buffer.put(v);
            default ->
                    throw new DeviceException(
                            DeviceError.INVALID_VALUE,
                            "no kernel argument can be a " + value.getClass());
        }
        return buffer.position() - start;
    }
}
