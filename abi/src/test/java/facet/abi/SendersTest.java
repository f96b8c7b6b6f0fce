package facet.abi;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the generated C sends is what the generated Java understands. */
final class SendersTest {

    @Test
    void fromCToJava(@TempDir Path folder)
            throws IOException, InterruptedException, MalformedCommand {
        CompilerC compiler = CompilerC.assumed();
        String program = folder.resolve("senders").toString();
        compiler.compile(
                "-Wall",
                "-Wextra",
                "-Wpedantic",
                "-Werror",
                "-O2",
                "-o",
                program,
                "src/test/c/senders.c");
        Process process =
                new ProcessBuilder(program).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        byte[] output = process.getInputStream().readAllBytes();
        assertEquals(0, process.waitFor(), "the program tells by its exit code what was wrong");

        List<String> received = new ArrayList<>();
        CudaDispatcher dispatcher =
                HandlersOfAll.dispatcher((envelope, command) ->
                        received.add(
                                "%d %d %d %s"
                                        .formatted(
                                                envelope.slot(),
                                                envelope.sequence(),
                                                envelope.context(),
                                                describe(command))));
        MemorySegment records = MemorySegment.ofArray(output);
        long offset = 0;
        while (offset < output.length) {
            int length = records.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
            dispatcher.dispatch(records.asSlice(offset, length));
            offset += length;
        }
        assertEquals(
                List.of(
                        "7 1 3 ContextCreate[device=1, flags=2, base=139637976727552]",
                        "7 2 3 ContextLimit[limit=4, value=4294967301]",
                        "0 3 3 CopyBox[destination=1, destinationPitch=2, destinationSlice=3,"
                                + " source=4, sourcePitch=5, sourceSlice=6, width=7, height=8,"
                                + " depth=9, stream=0]",
                        "0 4 3 Write 78187493530 11 hello",
                        "0 5 3 Write 1 11 ",
                        "0 6 3 Launch 11 2 3, 4 5 6, 7 8 9, 10 11 0123456789ab",
                        "0 7 3 StreamCreate[stream=5, flags=1, priority=-2]",
                        "7 8 3 ContextDestroy[]"),
                received);
    }

    private static String describe(Command command) {
        return switch (command) {
            case Write write ->
                    "Write %d %d %s"
                            .formatted(
                                    write.destination(),
                                    write.stream(),
                                    new String(write.data(), US_ASCII));
            case Launch launch ->
                    "Launch %d %d %d, %d %d %d, %d %d %d, %d %d %s"
                            .formatted(
                                    launch.stream(),
                                    launch.module(),
                                    launch.function(),
                                    launch.gridX(),
                                    launch.gridY(),
                                    launch.gridZ(),
                                    launch.blockX(),
                                    launch.blockY(),
                                    launch.blockZ(),
                                    launch.shared(),
                                    launch.flags(),
                                    new String(launch.arguments(), US_ASCII));
            default -> command.toString();
        };
    }
}
