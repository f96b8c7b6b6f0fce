package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.ContextSynchronize;
import facet.abi.FunctionRecordLayout;
import facet.abi.ModuleAnswerLayout;
import facet.abi.ModuleLoad;
import facet.abi.ModuleUnload;
import facet.abi.Result;
import facet.ring.Reply;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client is told of the modules it loads. */
@Timeout(300)
class ModuleAnswersTest extends OneClient {
    ModuleAnswersTest() throws Exception {}

    /** A fat binary of the host's tests. */
    private static byte[] image(String name) throws IOException {
        return Files.readAllBytes(Path.of("../host/src/test/resources/facet/host/image", name));
    }

    @Test
    void modulesTellWhatTheyHave() throws Exception {
        Reply reply = client.load(0, image("k-size.fatbin"));
        assertEquals(Result.SUCCESS, reply.result());
        MemorySegment answer = client.lastAnswer();
        assertEquals(2, answer.get(ValueLayout.JAVA_INT, ModuleAnswerLayout.FUNCTION_COUNT_OFFSET));
        assertEquals(1, answer.get(ValueLayout.JAVA_INT, ModuleAnswerLayout.VARIABLE_COUNT_OFFSET));
        long names =
                ModuleAnswerLayout.BYTES
                        + 2L * FunctionRecordLayout.BYTES
                        + 8L
                                * answer.get(
                                        ValueLayout.JAVA_INT,
                                        ModuleAnswerLayout.PARAMETER_COUNT_OFFSET)
                        + 24;
        int first = answer.get(ValueLayout.JAVA_INT, ModuleAnswerLayout.BYTES);
        assertTrue(answer.getString(names + first).matches("scale|count"));
        assertEquals(
                80,
                answer.get(
                        ValueLayout.JAVA_INT,
                        ModuleAnswerLayout.BYTES + FunctionRecordLayout.PTX_VERSION_OFFSET));
        assertEquals(256, slice.memoryUsed());
        assertEquals(256, client.claimed());
        client.post(new ModuleUnload(0));
        client.call(new ContextSynchronize());
        Patience.await(() -> slice.memoryUsed() == 0, "its memory is given back");
        assertEquals(0, client.claimed());
    }

    @Test
    void aModuleThatFailsTellsWhy() throws Exception {
        Reply reply = client.load(0, ".version 8.0\n.target sm_75\n.address_size 64\n bogus\n");
        assertEquals(Result.ERROR_INVALID_PTX, reply.result());
        assertTrue(client.lastLog().contains("4"), client.lastLog());
        assertEquals(
                Result.ERROR_NO_BINARY_FOR_GPU, client.load(0, image("k-elf.fatbin")).result());
        assertTrue(client.lastLog().contains("-gencode"), client.lastLog());
        // The number is still free.
        assertEquals(Result.SUCCESS, client.load(0, Kernels.ADD).result());
    }

    @Test
    void anAnswerThatDoesNotFitIsAskedForAgain() throws Exception {
        byte[] image = Kernels.ADD.getBytes(StandardCharsets.UTF_8);
        MemorySegment.copy(image, 0, client.memory(), ValueLayout.JAVA_BYTE, 0, image.length);
        long base = TestClient.BASE;
        Reply small = client.call(new ModuleLoad(base, image.length, base + 8192, 16, 3, 0));
        assertEquals(Result.SUCCESS, small.result());
        assertTrue(small.payload()[0] > 16);
        Reply fitting =
                client.call(
                        new ModuleLoad(base, image.length, base + 8192, small.payload()[0], 3, 0));
        assertEquals(Result.SUCCESS, fitting.result());
        assertEquals(small.payload()[0], fitting.payload()[0]);
    }
}
