package facet.node.confine;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A folder of classes as a jar. A jar is one open file, a folder is opened again for each class.
 */
final class PackedClasses {
    private PackedClasses() {}

    static Path of(Path folder, Path jar) throws IOException {
        Files.createDirectories(
                jar.getParent(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(file);
                Stream<Path> all = Files.walk(folder)) {
            zip.setLevel(Deflater.NO_COMPRESSION);
            for (Path each : all.filter(Files::isRegularFile).sorted().toList()) {
                zip.putNextEntry(new ZipEntry(folder.relativize(each).toString()));
                Files.copy(each, zip);
                zip.closeEntry();
            }
        }
        // A worker is another user.
        Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-r--r--"));
        return jar;
    }
}
