package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.abi.Allocate;
import facet.abi.CallbackRecordLayout;
import facet.abi.Command;
import facet.abi.Constants;
import facet.abi.ContextCreate;
import facet.abi.Copy;
import facet.abi.CudaWire;
import facet.abi.Free;
import facet.abi.HelloLayout;
import facet.abi.Launch;
import facet.abi.LedgerHeaderLayout;
import facet.abi.ModuleAnswerLayout;
import facet.abi.ModuleLoad;
import facet.abi.Read;
import facet.abi.Result;
import facet.abi.SessionHeaderLayout;
import facet.abi.StreamCreate;
import facet.abi.StreamSynchronize;
import facet.abi.Touch;
import facet.abi.WelcomeLayout;
import facet.os.Connection;
import facet.os.Message;
import facet.os.SharedMemoryUnsafe;
import facet.os.SocketKind;
import facet.ring.ClientSide;
import facet.ring.ContextStatus;
import facet.ring.Reply;
import facet.ring.RingWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/** Does what the C library does, as far as the tests need it. One context. */
public final class TestClient implements AutoCloseable {
    /** Where its part of a context begins. */
    public static final long BASE = 0x7100_0000_0000L;

    /** The host's own part lies below. */
    private static final long OWN = 4L << 30;

    public static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    /** Where images and answers lie: at the end of the arena's first gibibyte. */
    private static final long STAGING = 1L << 30;

    /** For accesses to memory that cannot be mapped. */
    private static final int FAR_STREAM = 60_000;

    private static final long FAR_STAGING = STAGING + (512L << 20);
    private static final long FAR_BYTES = 64L << 20;

    public final Connection connection;
    public final ClientSide side;
    public final int session;
    private final int slot;
    private final SharedMemoryUnsafe ledger;
    private SharedMemoryUnsafe memory;
    private int device;
    private long staged = STAGING;
    private boolean far;
    private boolean hasFarStream;
    private long uncounted;

    /** Commands so far, which is the sequence number of the last one. */
    long sent;

    public TestClient(Path socket) throws Exception {
        this(socket, "test");
    }

    @SuppressWarnings("NullAway.Init")
    public TestClient(Path socket, String name) throws Exception {
        connection = Connection.connect(socket, SocketKind.PACKETS);
        connection.send(hello(Constants.PROTOCOL, name));
        Message welcome = connection.receive(4096).orElseThrow();
        ByteBuffer bytes = ByteBuffer.wrap(welcome.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getInt(WelcomeLayout.STATUS_OFFSET) != 0) {
            throw new IllegalStateException("refused: " + message(welcome.bytes()));
        }
        session = bytes.getInt(WelcomeLayout.SESSION_OFFSET);
        slot = bytes.getInt(WelcomeLayout.LEDGER_SLOT_OFFSET);
        side = ClientSide.attach(welcome.descriptors()[0]);
        ledger = SharedMemoryUnsafe.attach(welcome.descriptors()[1]);
    }

    /** One that has made a context. */
    public static TestClient withContext(SliceServer slice) throws Exception {
        TestClient client = new TestClient(slice.socket());
        assertEquals(Result.SUCCESS, client.createContext().result());
        return client;
    }

    /** What a client of our protocol says first. */
    public static byte[] hello(String name) {
        return hello(Constants.PROTOCOL, name);
    }

    static byte[] hello(int protocol, String name) {
        return hello(protocol, CudaWire.COMMANDS, CudaWire.digest(CudaWire.COMMANDS), name);
    }

    static byte[] hello(int protocol, int commands, long digest, String name) {
        ByteBuffer bytes = ByteBuffer.allocate(HelloLayout.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(HelloLayout.MAGIC_OFFSET, Constants.MAGIC);
        bytes.putInt(HelloLayout.PROTOCOL_OFFSET, protocol);
        bytes.putInt(HelloLayout.PID_OFFSET, 1);
        bytes.putInt(HelloLayout.COMMANDS_OFFSET, commands);
        bytes.putLong(HelloLayout.DIGEST_OFFSET, digest);
        bytes.put(HelloLayout.NAME_OFFSET, name.getBytes(StandardCharsets.UTF_8));
        return bytes.array();
    }

    static String message(byte[] welcome) {
        String text =
                new String(
                        welcome,
                        WelcomeLayout.MESSAGE_OFFSET,
                        WelcomeLayout.MESSAGE_COUNT,
                        StandardCharsets.UTF_8);
        return text.substring(0, text.indexOf(0));
    }

    public Reply call(Command command) throws Exception {
        sent++;
        return side.call(0, command, PATIENCE);
    }

    public void post(Command command) throws Exception {
        sent++;
        side.post(0, command, PATIENCE);
    }

    public Reply createContext() throws Exception {
        return createContext(0);
    }

    public Reply createContext(int device) throws Exception {
        this.device = device;
        Reply reply = call(new ContextCreate(device, 0, BASE - OWN));
        if (reply.result() == 0) {
            Message message = connection.receive(64).orElseThrow();
            memory = SharedMemoryUnsafe.attach(message.descriptors()[0]);
            far = ByteBuffer.wrap(message.bytes()).order(ByteOrder.LITTLE_ENDIAN).getInt(4) != 0;
        }
        return reply;
    }

    /** What a program sees of the client's part of the context's memory. */
    public MemorySegment memory() {
        return memory.segment().asSlice(OWN);
    }

    /** Bytes of pages that the context's memory has, whoever uses it. */
    public long resident() {
        return memory.resident();
    }

    // ---- device memory: by commands where it cannot be mapped, as the C library does it

    /** Writes while others may work. */
    public void write(long offset, MemorySegment data) throws Exception {
        if (!far) {
            MemorySegment.copy(data, 0, memory(), offset, data.byteSize());
            return;
        }
        long place = stage(data.byteSize());
        memory().asSlice(place, data.byteSize()).copyFrom(data);
        post(new Copy(BASE + offset, BASE + place, data.byteSize(), FAR_STREAM));
        uncounted++;
        assertEquals(Result.SUCCESS, synchronize(FAR_STREAM));
    }

    /** Where data of so many bytes is on its way; one piece at a time. */
    private long stage(long bytes) throws Exception {
        if (!hasFarStream) {
            post(new StreamCreate(FAR_STREAM, Constants.STREAM_NON_BLOCKING, 0));
            post(new Allocate(BASE + FAR_STAGING, FAR_BYTES, Constants.MEMORY_STAGING));
            hasFarStream = true;
        }
        Objects.checkFromIndexSize(0, bytes, FAR_BYTES);
        return FAR_STAGING;
    }

    /** What is there now, whoever works. */
    public MemorySegment read(long offset, long bytes) throws Exception {
        if (!far) {
            return memory().asSlice(offset, bytes);
        }
        long place = stage(bytes);
        Reply reply = call(new Read(BASE + place, BASE + offset, bytes, FAR_STREAM));
        assertEquals(Result.SUCCESS, reply.result());
        MemorySegment data = MemorySegment.ofArray(new byte[(int) bytes]);
        data.copyFrom(memory().asSlice(place, bytes));
        return data;
    }

    public int get(long offset) throws Exception {
        return read(offset, Integer.BYTES).get(ValueLayout.JAVA_INT_UNALIGNED, 0);
    }

    public void set(long offset, int value) throws Exception {
        write(offset, MemorySegment.ofArray(new int[] {value}));
    }

    /** Asynchronous commands that have ended, but for those of {@link #write}. */
    public long retired() {
        return side.contextStatus(0).retired() - uncounted;
    }

    // ---- the slice's memory

    private long slotOffset(int which) {
        return LedgerHeaderLayout.BYTES + 8L * ((long) device * Constants.LEDGER_SLOTS + which);
    }

    public long claim(long bytes) {
        return (long) LONG.getAndAdd(ledger.segment(), slotOffset(slot), bytes) + bytes;
    }

    public long claimed() {
        return (long) LONG.getVolatile(ledger.segment(), slotOffset(slot));
    }

    public long limit() {
        return ledger.segment().get(ValueLayout.JAVA_LONG, LedgerHeaderLayout.LIMIT_OFFSET);
    }

    public long taken() {
        long sum = 0;
        for (int i = 0; i < Constants.LEDGER_SLOTS; i++) {
            sum += (long) LONG.getVolatile(ledger.segment(), slotOffset(i));
        }
        return sum;
    }

    /** Takes device memory at an offset without looking whether the slice has it. */
    public long allocate(long offset, long bytes) throws Exception {
        claim(bytes);
        post(new Allocate(BASE + offset, bytes, Constants.MEMORY_DEVICE));
        return BASE + offset;
    }

    /** Takes memory at an offset that both sides access. */
    public long pin(long offset, long bytes) throws Exception {
        post(new Allocate(BASE + offset, bytes, Constants.MEMORY_PINNED));
        return BASE + offset;
    }

    public void free(long address, long bytes) throws Exception {
        post(new Free(address));
        claim(-bytes);
    }

    /** Bytes of freed memory of the slice that the system does not have back yet. */
    public long returning() {
        return (long)
                LONG.getVolatile(ledger.segment(), (long) LedgerHeaderLayout.RETURNING_OFFSET);
    }

    /** What reads or writes device memory. */
    public interface Access {
        void run() throws Exception;
    }

    /**
     * Reads or writes device memory as the C library does: not while it is moved. Where it cannot
     * be mapped that is done by commands, which wait for their memory themselves. Who waited for
     * them and touched its memory meanwhile would keep the room that others need before they let go
     * of theirs.
     */
    public void touch(Access access) throws Exception {
        ContextStatus status = side.contextStatus(0);
        while (true) {
            status.touch(1);
            if (!status.moved()) {
                break;
            }
            status.touch(-1);
            Reply reply = call(new Touch());
            if (reply.result() != 0) {
                throw new IllegalStateException("not to be had: " + reply.result());
            }
        }
        if (far) {
            status.touch(-1);
            access.run();
            return;
        }
        try {
            access.run();
        } finally {
            status.touch(-1);
        }
    }

    // ---- modules and launches

    public Reply load(int module, String ptx) throws Exception {
        return load(module, ptx.getBytes(StandardCharsets.UTF_8));
    }

    public Reply load(int module, byte[] image) throws Exception {
        long bytes = (image.length + (64 << 10) + 255L) / 256 * 256;
        post(new Allocate(BASE + staged, bytes, Constants.MEMORY_STAGING));
        MemorySegment.copy(image, 0, memory(), ValueLayout.JAVA_BYTE, staged, image.length);
        long answer = staged + (image.length + 255L) / 256 * 256;
        Reply reply =
                call(
                        new ModuleLoad(
                                BASE + staged, image.length, BASE + answer, 32 << 10, module, 0));
        lastAnswer = memory().asSlice(answer, 32 << 10);
        post(new Free(BASE + staged));
        staged += bytes;
        return reply;
    }

    private MemorySegment lastAnswer;
    private boolean closed;

    public MemorySegment lastAnswer() {
        return lastAnswer;
    }

    public String lastLog() {
        return lastAnswer.getString(ModuleAnswerLayout.BYTES);
    }

    public void launch(int stream, int function, int grid, int block, Object... arguments)
            throws Exception {
        launchOf(0, stream, function, grid, block, arguments);
    }

    public void launchOf(
            int module, int stream, int function, int grid, int block, Object... arguments)
            throws Exception {
        post(new Launch(stream, module, function, grid, 1, 1, block, 1, 1, 0, 0, pack(arguments)));
    }

    private static byte[] pack(Object... arguments) {
        ByteBuffer bytes = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
        for (Object each : arguments) {
            switch (each) {
                case Long value -> {
                    bytes.position((bytes.position() + 7) / 8 * 8);
                    bytes.putLong(value);
                }
                case Integer value -> bytes.putInt(value);
                case Float value -> bytes.putFloat(value);
                default -> throw new IllegalArgumentException(each.toString());
            }
        }
        byte[] packed = new byte[bytes.position()];
        bytes.flip().get(packed);
        return packed;
    }

    public int synchronize(int stream) throws Exception {
        return call(new StreamSynchronize(stream)).result();
    }

    /** Waits for the token of a host function that is due. */
    public long takeCallback() throws Exception {
        return Objects.requireNonNull(side.callbacks().take())
                .get(ValueLayout.JAVA_LONG_UNALIGNED, CallbackRecordLayout.TOKEN_OFFSET);
    }

    /** Of its commands, for what an honest client would not put there. */
    RingWriter ring() {
        MemorySegment memory = side.segment();
        int offset = memory.get(ValueLayout.JAVA_INT, SessionHeaderLayout.COMMAND_OFFSET_OFFSET);
        return RingWriter.of(memory, offset, Constants.COMMAND_BYTES);
    }

    /** Whether the daemon has ended the session, waiting for it. */
    public boolean isEnded() throws Exception {
        while (connection.awaitReadable(PATIENCE)) {
            if (connection.receive(64).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        connection.close();
        side.close();
        ledger.close();
        if (memory != null) {
            memory.close();
        }
    }
}
