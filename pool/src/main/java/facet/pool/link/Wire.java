package facet.pool.link;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * One connection of a lane. To close it closes the socket below TLS, which ends whoever reads or
 * writes at the moment; TLS would first wait for the writer.
 */
final class Wire implements AutoCloseable {
    private static final int BUFFER = 32 << 10;
    private static final String[] PROTOCOLS = {"TLSv1.3"};
    private static final String[] CIPHERS = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"};

    private final Socket plain;
    private final GatheringSocket gathering;
    private final SSLSocket tls;
    private final DataInputStream in;
    private final OutputStream out;

    private Wire(Socket plain, GatheringSocket gathering, SSLSocket tls) throws IOException {
        this.plain = plain;
        this.gathering = gathering;
        this.tls = tls;
        this.in = new DataInputStream(new BufferedInputStream(tls.getInputStream(), BUFFER));
        this.out = tls.getOutputStream();
    }

    /** On a connection that was made. The handshake is done when this returns. */
    static Wire call(SSLContext context, Socket plain) throws IOException {
        return make(context, plain, true);
    }

    /** On a connection that was accepted. */
    static Wire answer(SSLContext context, Socket plain) throws IOException {
        return make(context, plain, false);
    }

    private static Wire make(SSLContext context, Socket plain, boolean client) throws IOException {
        plain.setTcpNoDelay(true);
        GatheringSocket gathering = new GatheringSocket(plain);
        SSLSocket tls =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(
                                        gathering,
                                        plain.getInetAddress().getHostAddress(),
                                        plain.getPort(),
                                        true);
        tls.setUseClientMode(client);
        tls.setEnabledProtocols(PROTOCOLS);
        tls.setEnabledCipherSuites(CIPHERS);
        if (!client) {
            tls.setNeedClientAuth(true);
        }
        tls.startHandshake();
        gathering.gather();
        return new Wire(plain, gathering, tls);
    }

    Peer peer() throws IOException {
        return Peer.of(tls.getSession());
    }

    /** How long a read waits. */
    void patience(Duration silence) throws IOException {
        plain.setSoTimeout((int) silence.toMillis());
    }

    /** Only the lane's reader uses it. */
    DataInputStream in() {
        return in;
    }

    /** One thread at a time. */
    void write(byte[] bytes, int length) throws IOException {
        out.write(bytes, 0, length);
        out.flush();
        gathering.push();
    }

    @Override
    public void close() {
        try {
            plain.close();
        } catch (IOException e) {
            // It is as closed as it gets: nobody reads or writes it any more.
            assert plain.isClosed();
        }
    }
}
