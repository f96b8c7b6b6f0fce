package facet.host.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import facet.abi.Command;
import facet.abi.ContextCreate;
import facet.abi.ContextDestroy;
import facet.abi.ContextSynchronize;
import facet.abi.Envelope;
import facet.abi.MalformedCommand;
import facet.abi.Result;
import facet.abi.StreamCreate;
import facet.abi.StreamDestroy;
import facet.abi.StreamQuery;
import facet.device.Device;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.cpu.CpuDevices;
import facet.host.ledger.Ledger;
import facet.host.ledger.LedgerMemory;
import facet.host.ledger.Tally;
import facet.log.Log;
import facet.os.Connection;
import facet.os.Descriptors;
import facet.os.SocketKind;
import facet.ring.ClientSide;
import facet.ring.DeviceSnapshot;
import facet.ring.MalformedRecord;
import facet.ring.Reply;
import facet.ring.SessionMemory;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A session speaks CUDA and another vocabulary, and each has errors of its own. */
class VocabularyTest {
    private static final long MEMORY = 64 << 20;
    private static final long BASE = 0x7000_0000_0000L;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final CpuDevices kind = new CpuDevices();
    private final Device device = kind.create(kind.profile("test", MEMORY, 1), 1);
    private final LedgerMemory ledger = LedgerMemory.create("test", MEMORY, 1);
    private final SessionMemory memory =
            SessionMemory.create(
                    "test", List.of(new DeviceSnapshot("test", new byte[16], MEMORY, new int[0])));
    private final Connection.Pair pair = Connection.pair(SocketKind.PACKETS);
    private final ClientSide client = ClientSide.attach(Descriptors.duplicate(memory.descriptor()));
    private final Session session = session();
    private LongConsumer shouted = word -> {};
    private final EchoVocabulary echo = new EchoVocabulary(new EchoHandler());
    private final SessionCommands commands =
            new SessionCommands(session, List.of(new CudaVocabulary(session), echo));

    VocabularyTest() throws IOException, MalformedRecord {}

    private final class EchoHandler implements EchoVocabulary.Handler {
        @Override
        public void call(Envelope envelope, long word) {
            shouted.accept(word);
            session.reply(envelope, 17, word);
        }

        @Override
        public void shout(Envelope envelope, long word) {
            shouted.accept(word);
        }
    }

    private Session session() {
        Log log =
                new Log(
                        new PrintStream(
                                OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
                        Log.Level.ERROR);
        return new Session(
                new SessionOptions(1, "test", "test", 1, 0, MEMORY),
                List.of(device),
                SessionResidency.unbounded(1),
                Ledger.ofAll(ledger),
                new Tally(),
                log,
                new SessionChannel(memory, pair.first(), why -> {}),
                new Usage(1));
    }

    @BeforeEach
    void makeContext() throws Exception {
        session.ledger(0).join(0, () -> false, () -> false, why -> {});
        assertEquals(Result.SUCCESS, call(new ContextCreate(0, 0, BASE)).result());
    }

    @AfterEach
    void endAll() {
        session.stopAll();
        session.endAll();
        client.close();
        pair.first().close();
        pair.second().close();
        session.channel().close();
        memory.close();
        ledger.close();
        device.close();
    }

    /** Executes what is in the ring, as the session's thread does. */
    private void execute() throws MalformedRecord, MalformedCommand {
        MemorySegment record = memory.commands().poll();
        while (record != null) {
            commands.execute(record);
            record = memory.commands().poll();
        }
        session.markAll();
    }

    private Reply call(Command command) throws Exception {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        Thread caller =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                reply.complete(client.call(0, command, PATIENCE));
                            } catch (MalformedRecord | TimeoutException e) {
                                reply.completeExceptionally(e);
                            }
                        });
        while (!reply.isDone()) {
            execute();
            Thread.onSpinWait();
        }
        caller.join();
        return reply.get();
    }

    private void post(Command command) throws MalformedRecord, MalformedCommand, TimeoutException {
        client.post(0, command, PATIENCE);
        execute();
    }

    @Test
    void eachCommandGoesToItsVocabulary() throws Exception {
        Reply reply = call(EchoVocabulary.call(4711));
        assertEquals(17, reply.result());
        assertEquals(4711, reply.payload()[0]);
        assertEquals(Result.SUCCESS, call(new ContextSynchronize()).result());
        assertEquals(17, call(EchoVocabulary.call(1)).result());
    }

    @Test
    void eachVocabularyHasItsOwnErrors() throws Exception {
        post(new StreamCreate(3, 0, 0));
        post(new StreamDestroy(3));
        shouted =
                word -> {
                    throw new HandleGone("it is gone");
                };
        assertEquals(EchoVocabulary.NO_HANDLE, call(EchoVocabulary.call(1)).result());
        assertEquals(Result.ERROR_INVALID_HANDLE, call(new StreamQuery(3)).result());
        shouted =
                word -> {
                    throw new DeviceException(DeviceError.OUT_OF_MEMORY, "no");
                };
        assertEquals(EchoVocabulary.NO_DEVICE, call(EchoVocabulary.call(1)).result());
        assertEquals(Result.SUCCESS, call(new ContextDestroy()).result());
        shouted = word -> session.context(new Envelope(0, 0, 0));
        assertEquals(EchoVocabulary.NO_CONTEXT, call(EchoVocabulary.call(1)).result());
        assertEquals(Result.ERROR_CONTEXT_IS_DESTROYED, call(new ContextSynchronize()).result());
    }

    /** CUDA's contexts do not latch what another vocabulary calls an error. */
    @Test
    void whatNobodyWaitsForFailsInItsVocabulary() throws Exception {
        shouted =
                word -> {
                    throw new HandleGone("it is gone");
                };
        post(EchoVocabulary.shout(1));
        assertEquals(List.of("0: " + EchoVocabulary.NO_HANDLE), echo.failures);
        assertEquals(1, session.context(new Envelope(0, 0, 0)).report().retired());
        assertEquals(Result.SUCCESS, call(new ContextSynchronize()).result());
    }

    @Test
    void aVocabularyThatIsNotSpokenEndsTheSession() {
        Command unknown =
                (slot, sequence, context) ->
                        Envelope.start(6 << 12 | 1, 24, slot, sequence, context);
        assertThrows(MalformedCommand.class, () -> post(unknown));
    }

    @Test
    void aCommandThatItsVocabularyDoesNotHaveEndsTheSession() {
        Command unknown =
                (slot, sequence, context) ->
                        Envelope.start(
                                EchoVocabulary.NUMBER << 12 | 3, 32, slot, sequence, context);
        assertThrows(MalformedCommand.class, () -> post(unknown));
    }
}
