package facet.testkit.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** What a plain socket makes of a road: something to compare with. */
public final class PlainCopy {
    private static final int PIECE = 256 << 10;

    private PlainCopy() {}

    public static double bytesPerSecond(Road road, long bytes)
            throws IOException, InterruptedException {
        try (ServerSocket server = new ServerSocket()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (Proxy proxy =
                            Proxy.to((InetSocketAddress) server.getLocalSocketAddress(), road, 1);
                    Socket from = new Socket()) {
                from.connect(proxy.address());
                Socket to = server.accept();
                CompletableFuture<Long> received = new CompletableFuture<>();
                Thread.ofPlatform().daemon().start(() -> receive(to, bytes, received));
                long begin = System.nanoTime();
                OutputStream out = from.getOutputStream();
                byte[] piece = new byte[PIECE];
                for (long sent = 0; sent < bytes; sent += PIECE) {
                    out.write(piece, 0, (int) Math.min(PIECE, bytes - sent));
                }
                long _ = received.get();
                return bytes / ((System.nanoTime() - begin) / 1e9);
            }
        } catch (ExecutionException e) {
            throw new IOException("a plain copy failed", e);
        }
    }

    private static void receive(Socket from, long bytes, CompletableFuture<Long> received) {
        byte[] buffer = new byte[PIECE];
        long sum = 0;
        try (InputStream in = from.getInputStream()) {
            while (sum < bytes) {
                int count = in.read(buffer);
                if (count < 0) {
                    throw new IOException("it ended after " + sum + " bytes");
                }
                sum += count;
            }
            received.complete(sum);
        } catch (IOException e) {
            received.completeExceptionally(e);
        }
    }
}
