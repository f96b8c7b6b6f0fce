package facet.node.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A character device that a container gets.
 *
 * @param host where it is on the machine
 * @param path where programs of the container look for it
 */
public record DeviceFile(Path host, String path, int major, int minor, int mode) {
    private static final int KIND = 0170000;
    private static final int CHARACTERS = 0020000;
    private static final int PERMISSIONS = 0777;

    /**
     * @throws IOException when there is none, or it is something else
     */
    static DeviceFile of(Path host, String path) throws IOException {
        int mode = (Integer) Files.getAttribute(host, "unix:mode");
        if ((mode & KIND) != CHARACTERS) {
            throw new IOException("it is no character device");
        }
        long number = (Long) Files.getAttribute(host, "unix:rdev");
        // As the C library packs it: makedev(3).
        int major = (int) (number >>> 8 & 0xfff | number >>> 32 & 0xfffff000L);
        int minor = (int) (number & 0xff | number >>> 12 & 0xffffff00L);
        return new DeviceFile(host, path, major, minor, mode & PERMISSIONS);
    }
}
