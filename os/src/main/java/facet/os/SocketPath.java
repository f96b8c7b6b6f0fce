package facet.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Where a socket is, in the form and with the limits of the system. */
final class SocketPath {
    private SocketPath() {}

    static byte[] bytes(Path path) throws IOException {
        byte[] bytes = path.toString().getBytes(StandardCharsets.UTF_8);
        if (bytes.length > SocketUnsafe.PATH_LIMIT) {
            throw new IOException(
                    "the path of a socket may have "
                            + SocketUnsafe.PATH_LIMIT
                            + " bytes; choose a shorter folder than "
                            + path.getParent());
        }
        return bytes;
    }

    static SystemCallException refused(Path path, int errno) {
        String advice =
                switch (errno) {
                    case ErrnoUnsafe.ENOENT, ErrnoUnsafe.ECONNREFUSED ->
                            "; start what listens there, or name another path";
                    default -> ErrnoUnsafe.advice(errno);
                };
        return new SystemCallException("cannot connect to " + path, errno, advice);
    }
}
