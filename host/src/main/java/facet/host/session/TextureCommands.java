package facet.host.session;

import facet.abi.Envelope;
import facet.abi.TextureCreate;
import facet.abi.TextureDestroy;
import facet.abi.TextureHandler;
import facet.device.TextureDescription;
import facet.device.TextureDescription.Edge;
import facet.device.TextureDescription.Format;
import facet.device.TextureDescription.Level;
import facet.device.TextureDescription.Sampling;
import facet.device.TextureDescription.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Textures and surfaces. What a description says of sizes must make sense; what it says of memory
 * is not looked at here: every access of a kernel is held against the memory of its context.
 */
final class TextureCommands implements TextureHandler {
    // Numbers of CUDA.
    private static final int RESOURCE_LINEAR = 2;
    private static final int ARRAY_LAYERED = 1;
    private static final int ARRAY_CUBE = 4;
    private static final int READ_AS_INTEGER = 1;
    private static final int NORMALIZED = 2;
    private static final int SRGB = 16;
    private static final int SEAMLESS = 64;

    /** What one level takes in the data of a command. */
    private static final int LEVEL_BYTES = 40;

    private final Session session;

    TextureCommands(Session session) {
        this.session = session;
    }

    @Override
    public void textureCreate(Envelope envelope, TextureCreate command) {
        SessionContext context = session.context(envelope);
        context.textures()
                .create(
                        command.handle(),
                        new TextureDescription(
                                shape(command),
                                format(command.format()),
                                command.channels(),
                                levels(command.levels()),
                                command.surface() != 0 ? null : sampling(command)));
    }

    @Override
    public void textureDestroy(Envelope envelope, TextureDestroy command) {
        session.context(envelope).textures().destroy(command.handle());
    }

    private static Shape shape(TextureCreate command) {
        if (command.resource() == RESOURCE_LINEAR) {
            return Shape.LINEAR;
        }
        if ((command.arrayFlags() & ARRAY_CUBE) != 0) {
            return Shape.CUBE;
        }
        return (command.arrayFlags() & ARRAY_LAYERED) != 0 ? Shape.LAYERED : Shape.PLAIN;
    }

    private static Format format(int number) {
        return switch (number) {
            case 1 -> Format.U8;
            case 2 -> Format.U16;
            case 3 -> Format.U32;
            case 8 -> Format.S8;
            case 9 -> Format.S16;
            case 10 -> Format.S32;
            case 16 -> Format.F16;
            case 32 -> Format.F32;
            default -> throw new ProtocolViolation("a texture of format " + number);
        };
    }

    private static Edge edge(int number) {
        return switch (number) {
            case 0 -> Edge.WRAP;
            case 1 -> Edge.CLAMP;
            case 2 -> Edge.MIRROR;
            case 3 -> Edge.BORDER;
            default -> throw new ProtocolViolation("a texture with address mode " + number);
        };
    }

    private static List<Level> levels(byte[] data) {
        if (data.length % LEVEL_BYTES != 0
                || data.length / LEVEL_BYTES > TextureDescription.MOST_LEVELS) {
            throw new ProtocolViolation("levels of a texture in " + data.length + " bytes");
        }
        List<Level> levels = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.wrap(data).order(ByteOrder.nativeOrder());
        while (buffer.hasRemaining()) {
            Level level =
                    new Level(
                            buffer.getLong(),
                            buffer.getLong(),
                            buffer.getLong(),
                            buffer.getInt(),
                            buffer.getInt(),
                            buffer.getInt());
            buffer.getInt();
            levels.add(level);
        }
        return levels;
    }

    private static Sampling sampling(TextureCreate command) {
        return new Sampling(
                List.of(edge(command.edgeX()), edge(command.edgeY()), edge(command.edgeZ())),
                command.filter() != 0,
                command.levelFilter() != 0,
                (command.flags() & NORMALIZED) != 0,
                (command.flags() & READ_AS_INTEGER) == 0,
                (command.flags() & SRGB) != 0,
                (command.flags() & SEAMLESS) != 0,
                command.bias(),
                command.lowest(),
                command.highest(),
                List.of(
                        command.borderR(),
                        command.borderG(),
                        command.borderB(),
                        command.borderA()));
    }
}
