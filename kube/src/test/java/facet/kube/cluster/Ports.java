package facet.kube.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports of the loopback address that nobody has. */
final class Ports {
    private Ports() {}

    /**
     * Somebody else may take it before it is used; whoever starts a server looks whether it came
     * up.
     */
    static int free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
