package facet.node.confine;

import facet.os.Connection;
import facet.os.Message;
import facet.os.SocketKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Main of a confined process that does what it is told. */
final class Captive {
    private Captive() {}

    /**
     * @param arguments descriptor of the connection; {@code sealed} or {@code placed}
     */
    public static void main(String[] arguments) throws Exception {
        try (Connection connection =
                Connection.of(Integer.parseInt(arguments[0]), SocketKind.PACKETS)) {
            Seal.prepare();
            say(connection, "ready" + (arguments[1].equals("sealed") ? Seal.close() : ""));
            while (true) {
                Optional<Message> message = connection.receive(4096);
                if (message.isEmpty()) {
                    return;
                }
                say(connection, perform(new String(message.get().bytes(), StandardCharsets.UTF_8)));
            }
        }
    }

    private static void say(Connection connection, String text) throws IOException {
        connection.send(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String perform(String line) {
        String[] words = line.split(" ", -1);
        try {
            return switch (words[0]) {
                case "attack" -> Long.toString(Attack.valueOf(words[1]).run(target(words)));
                case "greed" -> Long.toString(Greed.valueOf(words[1]).run());
                case "honest" -> Honest.valueOf(words[1]).run();
                default -> throw new IllegalArgumentException(line);
            };
        } catch (Exception | Error e) {
            return "failed: " + e;
        }
    }

    private static Attack.Target target(String[] words) {
        return new Attack.Target(
                Long.parseLong(words[2]),
                Long.parseLong(words[3]),
                Integer.parseInt(words[4]),
                words[5],
                words[6],
                words[7],
                Integer.parseInt(words[8]));
    }
}
