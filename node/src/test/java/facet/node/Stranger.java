package facet.node;

import facet.os.Connection;
import facet.os.Message;
import facet.os.SocketKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;

/** Somebody else: connects, says something, tells what came of it. Runs as another user. */
final class Stranger {
    private Stranger() {}

    /** kind, path, what to say in hexadecimal */
    public static void main(String[] arguments) {
        try (Connection connection =
                Connection.connect(Path.of(arguments[1]), SocketKind.valueOf(arguments[0]))) {
            connection.send(HexFormat.of().parseHex(arguments[2]));
            System.out.println(
                    connection
                            .receive(64 << 10)
                            .map(Message::bytes)
                            .map(HexFormat.of()::formatHex)
                            .orElse("ended"));
        } catch (IOException e) {
            System.out.println("failed: " + e.getMessage());
        }
    }
}
