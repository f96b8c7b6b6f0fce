package facet.pool.relay;

import facet.abi.Constants;
import facet.abi.CudaWire;
import facet.abi.HelloLayout;
import facet.abi.LedgerHeaderLayout;
import facet.abi.WelcomeLayout;
import facet.os.Connection;
import facet.os.Message;
import facet.os.SharedMemoryUnsafe;
import facet.os.SocketKind;
import facet.ring.ClientSide;
import facet.ring.MalformedRecord;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A client of a slice of this node, as a program's library is one. */
final class SliceClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MOST_BYTES = 4096;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final Connection connection;
    private final ClientSide side;
    private final SharedMemoryUnsafe ledger;
    private final int slot;
    private final Map<Integer, Integer> memories = new HashMap<>();
    private final long busyBefore;
    private boolean over;

    private SliceClient(
            Connection connection, ClientSide side, SharedMemoryUnsafe ledger, int slot) {
        this.connection = connection;
        this.side = side;
        this.ledger = ledger;
        this.slot = slot;
        this.busyBefore = busy();
    }

    static SliceClient connect(Path socket, String name, int pid)
            throws IOException, MalformedRecord {
        Connection connection = Connection.connect(socket, SocketKind.PACKETS);
        try {
            connection.send(hello(name, pid));
            if (!connection.awaitReadable(PATIENCE)) {
                throw new IOException("the slice does not answer");
            }
            Message welcome =
                    connection
                            .receive(MOST_BYTES)
                            .orElseThrow(() -> new IOException("the slice has hung up"));
            ByteBuffer bytes = ByteBuffer.wrap(welcome.bytes()).order(ByteOrder.LITTLE_ENDIAN);
            if (bytes.getInt(WelcomeLayout.STATUS_OFFSET) != 0
                    || welcome.descriptors().length != 2) {
                welcome.closeDescriptors();
                throw new IOException(message(welcome.bytes()));
            }
            ClientSide side = ClientSide.attach(welcome.descriptors()[0]);
            return new SliceClient(
                    connection,
                    side,
                    SharedMemoryUnsafe.attach(welcome.descriptors()[1]),
                    bytes.getInt(WelcomeLayout.LEDGER_SLOT_OFFSET));
        } catch (IOException | MalformedRecord e) {
            connection.close();
            throw e;
        }
    }

    private static byte[] hello(String name, int pid) {
        ByteBuffer bytes = ByteBuffer.allocate(HelloLayout.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(HelloLayout.MAGIC_OFFSET, Constants.MAGIC);
        bytes.putInt(HelloLayout.PROTOCOL_OFFSET, Constants.PROTOCOL);
        bytes.putInt(HelloLayout.PID_OFFSET, pid);
        bytes.putInt(HelloLayout.COMMANDS_OFFSET, CudaWire.COMMANDS);
        bytes.putLong(HelloLayout.DIGEST_OFFSET, CudaWire.digest(CudaWire.COMMANDS));
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        bytes.put(
                HelloLayout.NAME_OFFSET,
                text,
                0,
                Math.min(text.length, HelloLayout.NAME_COUNT - 1));
        return bytes.array();
    }

    private static String message(byte[] welcome) {
        int from = WelcomeLayout.MESSAGE_OFFSET;
        byte[] text = Arrays.copyOfRange(welcome, from, from + WelcomeLayout.MESSAGE_COUNT);
        int end = 0;
        while (end < text.length && text[end] != 0) {
            end++;
        }
        return new String(text, 0, end, StandardCharsets.UTF_8);
    }

    ClientSide side() {
        return side;
    }

    /** Takes memories of contexts as they come, until the session is over; says why it is. */
    String awaitEnd() {
        String why = "its session has ended on the device's node";
        try {
            while (true) {
                Optional<Message> next = connection.receive(MOST_BYTES);
                if (next.isEmpty()) {
                    break;
                }
                take(next.get());
            }
        } catch (IOException e) {
            why = "its session on the device's node: " + e.getMessage();
        }
        synchronized (this) {
            over = true;
            notifyAll();
        }
        return why;
    }

    private synchronized void take(Message message) {
        if (message.descriptors().length == 1 && message.bytes().length >= Integer.BYTES) {
            int context = ByteBuffer.wrap(message.bytes()).order(ByteOrder.LITTLE_ENDIAN).getInt();
            memories.put(context, message.descriptors()[0]);
            notifyAll();
        } else {
            message.closeDescriptors();
        }
    }

    /** The memory of a context that was made. */
    SharedRanges takeMemory(int context) throws IOException {
        int descriptor;
        synchronized (this) {
            while (!memories.containsKey(context)) {
                if (over) {
                    throw new IOException("its session is over");
                }
                try {
                    wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted", e);
                }
            }
            descriptor = memories.remove(context);
        }
        return new SharedRanges(SharedMemoryUnsafe.attach(descriptor), "facet-relay-shadow");
    }

    /** Counts what it has of a device, as clients do before they allocate. */
    void claim(int device, long bytes) {
        long offset =
                LedgerHeaderLayout.BYTES
                        + Long.BYTES * ((long) device * Constants.LEDGER_SLOTS + slot);
        if (bytes != 0 && device >= 0 && offset <= ledger.bytes() - Long.BYTES) {
            long _ = (long) LONG.getAndAdd(ledger.segment(), offset, bytes);
        }
    }

    /**
     * Device time that the slice has had here, as its ledger says; what came before is another's.
     */
    long busyNanos() {
        return busy() - busyBefore;
    }

    private long busy() {
        return Math.max(
                0,
                (long) LONG.getVolatile(ledger.segment(), (long) LedgerHeaderLayout.BUSY_OFFSET)
                        - 1);
    }

    /** Nobody waits for anything any more. */
    void hangUp() {
        connection.shutdown();
        side.callbacks().close();
    }

    @Override
    public void close() {
        connection.close();
        side.close();
        ledger.close();
    }
}
