package facet.node.confine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The loader that a program names. Only the kernel looks for it there, before all else. */
final class ElfInterpreter {
    private static final int HEADER = 64;
    private static final int PROGRAM_HEADERS = 32; // e_phoff
    private static final int ENTRY_SIZE = 54; // e_phentsize
    private static final int ENTRIES = 56; // e_phnum
    private static final int INTERPRETER = 3; // PT_INTERP
    private static final int LONGEST = 4096;

    private ElfInterpreter() {}

    static Path of(Path program) throws IOException {
        try (FileChannel file = FileChannel.open(program)) {
            ByteBuffer header = read(file, 0, HEADER);
            long start = header.getLong(PROGRAM_HEADERS);
            int size = header.getShort(ENTRY_SIZE);
            for (int i = 0; i < header.getShort(ENTRIES); i++) {
                ByteBuffer entry = read(file, start + (long) i * size, 40);
                if (entry.getInt(0) == INTERPRETER) {
                    int length = (int) Math.min(entry.getLong(32), LONGEST);
                    ByteBuffer name = read(file, entry.getLong(8), length);
                    // It ends with 0.
                    name.position(0).limit(length - 1);
                    return Path.of(StandardCharsets.UTF_8.decode(name).toString());
                }
            }
        }
        throw new IOException(program + " names no loader; it is not a program of this system");
    }

    private static ByteBuffer read(FileChannel file, long offset, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            if (file.read(buffer, offset + buffer.position()) < 0) {
                throw new IOException("a program that ends too early");
            }
        }
        return buffer.flip();
    }
}
