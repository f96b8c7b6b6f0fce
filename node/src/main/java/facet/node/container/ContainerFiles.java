package facet.node.container;

import facet.slices.Slice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A small file for each container, in the runtime folder: it is gone when the machine was started
 * again, as the containers are. The folder is there while it has a file.
 */
public final class ContainerFiles {
    private static final String SUFFIX = ".json";

    private final Path folder;

    public ContainerFiles(Path folder) {
        this.folder = folder;
    }

    /** Folders of slices that containers have mounted, as far as the files can be read. */
    public Set<String> slices() throws IOException {
        Set<String> names = new HashSet<>();
        for (Path each : files()) {
            read(each).ifPresent(record -> names.add(record.slice()));
        }
        return names;
    }

    /** Empty where it cannot be read; whoever loads it tells. */
    private static Optional<ContainerRecord> read(Path file) {
        try {
            return Optional.of(ContainerRecord.parse(Files.readString(file)));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.sorted().toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /** Told of files that are none of ours. */
    interface Unreadable {
        void tell(Path file, IOException why);
    }

    /** All of them. Those that cannot be read are removed. */
    List<ContainerRecord> load(Unreadable unreadable) throws IOException {
        List<ContainerRecord> all = new ArrayList<>();
        for (Path each : files()) {
            try {
                all.add(ContainerRecord.parse(Files.readString(each)));
            } catch (IOException e) {
                if (each.toString().endsWith(SUFFIX)) {
                    unreadable.tell(each, e);
                }
                Files.deleteIfExists(each);
            }
        }
        return all;
    }

    /** Who is killed in the middle leaves the old one or the new one. */
    void save(ContainerRecord record) throws IOException {
        if (!Files.exists(folder)) {
            Files.createDirectory(
                    folder,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        }
        Path file = file(record.id());
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(next, record.text());
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    void delete(String id) throws IOException {
        Files.deleteIfExists(file(id));
    }

    /** Ids are long and of many forms: the name is the part that people know, and a sum. */
    private Path file(String id) {
        String sum = UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8)).toString();
        return folder.resolve(Slice.nameFrom(id) + "-" + sum.substring(0, 13) + SUFFIX);
    }
}
