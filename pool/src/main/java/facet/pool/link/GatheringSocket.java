package facet.pool.link;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;

/**
 * What TLS writes to. By itself it asks the system for each record of 16 KiB three times: to write
 * it, to read its head and to read the rest. Here many records go at once. It stands for a socket
 * that is connected, and knows no more of one than TLS asks for.
 */
final class GatheringSocket extends Socket {
    private static final int BYTES = 160 << 10;

    private final Socket below;
    private final InputStream in;
    private final Gathering out;

    GatheringSocket(Socket below) throws IOException {
        this.below = below;
        this.in = new BufferedInputStream(below.getInputStream(), BYTES);
        this.out = new Gathering(below.getOutputStream());
    }

    /** From now on what is written waits for {@link #push}; or for more than fits. */
    void gather() {
        out.gathers = true;
    }

    /** Sends what was written. */
    void push() throws IOException {
        out.push();
    }

    private static final class Gathering extends BufferedOutputStream {
        private volatile boolean gathers;

        Gathering(OutputStream out) {
            super(out, BYTES);
        }

        @Override
        public synchronized void flush() throws IOException {
            if (!gathers) {
                super.flush();
            }
        }

        void push() throws IOException {
            super.flush();
        }
    }

    @Override
    public InputStream getInputStream() {
        return in;
    }

    @Override
    public OutputStream getOutputStream() {
        return out;
    }

    @Override
    public boolean isConnected() {
        return below.isConnected();
    }

    @Override
    public boolean isClosed() {
        return below.isClosed();
    }

    @Override
    public boolean isBound() {
        return below.isBound();
    }

    @Override
    public InetAddress getInetAddress() {
        return below.getInetAddress();
    }

    @Override
    public InetAddress getLocalAddress() {
        return below.getLocalAddress();
    }

    @Override
    public int getPort() {
        return below.getPort();
    }

    @Override
    public int getLocalPort() {
        return below.getLocalPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return below.getRemoteSocketAddress();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return below.getLocalSocketAddress();
    }

    @Override
    public void setSoTimeout(int milliseconds) throws SocketException {
        below.setSoTimeout(milliseconds);
    }

    @Override
    public int getSoTimeout() throws SocketException {
        return below.getSoTimeout();
    }

    @Override
    public void setSoLinger(boolean on, int seconds) throws SocketException {
        below.setSoLinger(on, seconds);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return below.getSoLinger();
    }

    @Override
    public boolean isInputShutdown() {
        return below.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        return below.isOutputShutdown();
    }

    @Override
    public void shutdownInput() throws IOException {
        below.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        below.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        below.close();
    }
}
