package facet.log;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A log that does not fill the disk: when the file is long it is copied to {@code FILE.1} and
 * begins anew; {@code FILE.1} becomes {@code FILE.2}, and the oldest goes. It is emptied and not
 * renamed, for others have it open too: workers, and the JVM's own error output.
 */
public final class RotatingFile extends OutputStream {
    private static final long LONGEST = 8 << 20;
    private static final int OLD_FILES = 3;

    private final Path file;
    private final long longest;
    private final FileChannel channel;

    private RotatingFile(Path file, long longest, FileChannel channel) {
        this.file = file;
        this.longest = longest;
        this.channel = channel;
    }

    /** Goes on at its end. */
    public static RotatingFile open(Path file) throws IOException {
        return open(file, LONGEST);
    }

    static RotatingFile open(Path file, long longest) throws IOException {
        return new RotatingFile(
                file,
                longest,
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value});
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        // Between lines, not inside of one.
        if (length > 0 && bytes[offset + length - 1] == '\n' && channel.size() > longest) {
            rotate();
        }
    }

    private void rotate() throws IOException {
        for (int i = OLD_FILES; i > 1; i--) {
            if (Files.exists(old(i - 1))) {
                Files.move(old(i - 1), old(i), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.copy(file, old(1), StandardCopyOption.REPLACE_EXISTING);
        channel.truncate(0);
    }

    private Path old(int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
