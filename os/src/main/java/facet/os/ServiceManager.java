package facet.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whoever started this process as a service and waits to hear how it is: systemd, by sd_notify(3).
 */
public final class ServiceManager {
    private static final String VARIABLE = "NOTIFY_SOCKET";

    private final @Nullable String address;

    ServiceManager(Map<String, String> environment) {
        String given = environment.getOrDefault(VARIABLE, "");
        address = given.isEmpty() ? null : given;
    }

    public static ServiceManager ofThisProcess() {
        return new ServiceManager(System.getenv());
    }

    /** Its requests are being answered. Nothing happens where nobody waits. */
    public void ready() throws IOException {
        tell("READY=1");
    }

    /** It ends, because somebody wanted it. */
    public void stopping() throws IOException {
        tell("STOPPING=1");
    }

    private void tell(String state) throws IOException {
        if (address == null) {
            return;
        }
        Path path = Path.of(address);
        byte[] name = SocketPath.bytes(path);
        if (name[0] == '@') {
            name[0] = 0;
        }
        try (Connection connection = Connection.connect(name, path, SocketKind.DATAGRAMS)) {
            connection.send(state.getBytes(StandardCharsets.UTF_8));
        }
    }
}
