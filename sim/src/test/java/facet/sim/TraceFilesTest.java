package facet.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.place.Job;
import facet.place.Models;
import facet.place.Node;
import facet.place.Placer;
import facet.place.Policies;
import facet.place.Request;
import facet.place.queue.Queue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TraceFilesTest {
    private static final String NODES =
            "name,model,devices,cpu_milli,memory_mib\nn0,T4,2,8000,1024\nn1,A10,1,4000,512\n";
    private static final String HEAD =
            "name,devices,thousandths,model,cpu_milli,memory_mib,arrives,leaves\n";

    @TempDir private Path folder = Path.of("");

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    @Test
    void readsPlainFiles() throws Exception {
        write("nodes.csv", NODES);
        write("tasks.csv", HEAD + "a,1,250,T4|A10,1000,64,5,9\nb,0,0,,500,32,6,6\n\n");
        Trace trace = TraceFiles.read(folder);
        assertEquals(new Node("n0", "T4", 2, 8000, 1024), trace.nodes().getFirst());
        assertEquals(
                List.of(
                        new Task("a", new Request(1, 250, 0b11, 1000, 64), 5, 9),
                        new Task("b", new Request(0, 0, Models.ANY, 500, 32), 6, 6)),
                trace.tasks());
    }

    @Test
    void readsFilesOfAlibaba() throws Exception {
        write(
                "openb_node_list_gpu_node.csv",
                "sn,cpu_milli,memory_mib,gpu,model\nx,8000,99,2,P100\n");
        String head =
                "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
                        + "deletion_time,scheduled_time\n";
        write(
                "openb_pod_list_some.csv",
                head
                        + "p0,12000,16384,1,460,,LS,Running,7,12537496,0\n"
                        + "p1,6000,12288,2,1000,V100M16|P100,LS,Pending,427061,12902960.0,\n"
                        + "p2,6000,12288,2,1000,V100M16,LS,Pending,1,1,\n");
        Trace trace = TraceFiles.read(folder.resolve("openb_pod_list_some.csv"));
        assertEquals("some", trace.name());
        assertEquals(
                new Task(
                        "p0",
                        new Request(1, 460, Models.ANY, 12000, 16384),
                        7,
                        12537496,
                        new Standing("", 2, "", Job.Leaving.NEVER, 0)),
                trace.tasks().get(0));
        assertEquals(12902960, trace.tasks().get(1).leaves());
        assertEquals(0b1, trace.tasks().get(1).request().models());
        // A model that no node has: it fits nowhere.
        assertEquals(0, trace.tasks().get(2).request().models());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a,1,1001,,1,1,0,1; line 2: 1001 thousandths",
                "a,-1,500,,1,1,0,1; line 2: devices is '-1'",
                "a,1,500,,2147483648,1,0,1; line 2: cpu_milli is '2147483648'",
                "a,1,500,,99999999999999999999,1,0,1; line 2: cpu_milli is",
                "a,1,500,,1,many,0,1; line 2: memory_mib is 'many'",
                "a,1,500,,1,1,9,8; line 2: 'a' leaves at 8, before it arrives at 9",
                "'\"a\",1,500,,1,1,0,1'; line 2: values in quotes",
                "a; line 2: devices is ''",
                ",1,500,,1,1,0,1; line 2: a task without a name",
                "a,1,NaN,,1,1,0,1; line 2: thousandths is 'NaN'",
                "a,1,500,,1,1,1e9,1; line 2: arrives is '1e9'",
            })
    void saysWhichLineIsWrong(String line, String message) throws IOException {
        write("nodes.csv", NODES);
        write("tasks.csv", HEAD + line + "\n");
        TraceException thrown = assertThrows(TraceException.class, () -> TraceFiles.read(folder));
        assertTrue(String.valueOf(thrown.getMessage()).contains(message), thrown.getMessage());
    }

    @Test
    void readsWhatSpreadsheetsWrite() throws Exception {
        write("nodes.csv", "\uFEFF" + NODES.replace("\n", "\r\n"));
        write("tasks.csv", "\uFEFF" + HEAD.replace("\n", "\r\n") + "a,1,500,,1,1,0,1\r\n\r\n");
        assertEquals(1, TraceFiles.read(folder).tasks().size());
    }

    @Test
    void namesAreThereOnce() throws Exception {
        write("nodes.csv", NODES);
        write("tasks.csv", HEAD + "a,1,500,,1,1,0,1\na,1,500,,1,1,0,1\n");
        assertMissing("line 3: task 'a' is there twice");
        write("tasks.csv", HEAD + "a,1,500,,1,1,0,1\n");
        write("nodes.csv", NODES + NODES.lines().skip(1).findFirst().orElseThrow() + "\n");
        assertMissing("is there twice");
        write("nodes.csv", "");
        assertMissing("nodes.csv is empty; its first line should name the columns");
    }

    @Test
    void whatNoQueueWouldTakeIsWrong() throws Exception {
        write("nodes.csv", NODES);
        String head = HEAD.strip() + ",queue,priority,gang,leaving,grace\n";
        String one = "a,1,500,,1,1,0,9,blue,3,g,moves,60\n";
        write("tasks.csv", head + one + "b,1,500,,1,1,0,9,red,3,g,moves,60\n");
        assertMissing("jobs of gang 'gang g' are of different queues or priorities: 'a' and 'b'");
        write("tasks.csv", head + one + "b,1,500,,1,1,0,9,blue,3,g,moves,60\n");
        write("queues.csv", "name,quota,limit\nblue,100,999\n");
        assertMissing(
                "'gang g' asks for 1000 thousandths of devices, and queue 'blue' has at most");
        write("queues.csv", "name,quota,limit\nblue,100,1000\n");
        assertEquals(2, TraceFiles.read(folder).tasks().size());
    }

    @Test
    void readsHowTasksStand() throws Exception {
        write("nodes.csv", NODES);
        String head = HEAD.strip() + ",queue,priority,gang,leaving,grace\n";
        write("tasks.csv", head + "a,2,500,,1,1,0,9,blue,3,g,moves,60\n");
        assertEquals(
                new Standing("blue", 3, "g", Job.Leaving.MOVES, 60),
                TraceFiles.read(folder).tasks().getFirst().standing());
        assertEquals(Queue.UNLIMITED, TraceFiles.read(folder).quotas().queue("blue").quota());
        write("queues.csv", "name,quota,limit\nblue,500,1500\n");
        assertEquals(new Queue("blue", 500, 1500), TraceFiles.read(folder).quotas().queue("blue"));
        write("queues.csv", "name,quota,limit\nblue,500,400\n");
        assertMissing("line 2: queue 'blue' with a quota of 500 and a limit of 400");
        write("queues.csv", "name,quota,limit\nred,500,500\n");
        assertMissing("has no queue 'blue', in which task 'a' waits");
        write("tasks.csv", head + "a,2,500,,1,1,0,9,blue,3,g,flies,60\n");
        assertMissing("line 2: leaving is 'flies'");
    }

    @Test
    void readsWhatFewAskFor() throws Exception {
        write(
                "nodes.csv",
                """
                name,model,devices,cpu_milli,memory_mib,pool,zone,labels,device_memory_mib,promised,division
                a,A30,2,8000,100,day,r1,nvme|fast,24000,1500,a30-24gb
                b,T4,1,8000,100,night,r2,,16000,,
                """);
        write(
                "tasks.csv",
                """
                name,devices,thousandths,model,cpu_milli,memory_mib,pool,labels,device_memory_mib,codec,render,burst,part
                fast,1,500,,1,1,day|night,nvme,20000,100,200,,
                part,1,0,,1,1,,,,,,,a30-24gb/1g.6gb
                burst,1,,,1,1,,,,,,300,
                night,1,1000,,1,1,night,,,,,,
                nowhere,1,1000,,1,1,weekend,,,,,,
                """);
        Trace trace = TraceFiles.read(folder);
        Placer placer = new Placer(trace.cluster(), Policies.named("facet"), List.of(), 1);
        List<String> where = new ArrayList<>();
        for (Request each : trace.requests()) {
            where.add(
                    placer.place(each)
                            .map(place -> trace.nodes().get(place.node()).name())
                            .orElse("-"));
        }
        assertEquals(List.of("a", "a", "a", "b", "-"), where);
        placer.ledger().audit();
        assertEquals(20000, trace.requests().getFirst().share().memory());
        assertEquals("r1", trace.nodes().getFirst().traits().zone());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a,1,,,1,1,,,,,,2000,; line 2: 2000 thousandths of a device (burst)",
                "a,1,500,,1,1,,,,,,100,; line 2: 500 thousandths and 100 beyond",
                "a,1,0,,1,1,,,,,,,1g.6gb; line 2: part is '1g.6gb'",
                "a,1,0,,1,1,,,,,,,a30-24gb/9g.6gb; line 2: division 'a30-24gb' has no part",
                "a,2,0,,1,1,,,,,,,a30-24gb/1g.6gb; line 2: bursts and hardware parts",
                "a,1,500,,1,1,,ssd,,,,,; line 2: no node has the label 'ssd'",
                "a,1,500,,1,1,,,-1,,,,; line 2: device_memory_mib is '-1'",
            })
    void saysWhichWishIsWrong(String line, String message) throws IOException {
        write("nodes.csv", NODES);
        write(
                "tasks.csv",
                "name,devices,thousandths,model,cpu_milli,memory_mib,pool,labels,device_memory_mib,"
                        + "codec,render,burst,part\n"
                        + line
                        + "\n");
        TraceException thrown = assertThrows(TraceException.class, () -> TraceFiles.read(folder));
        assertTrue(String.valueOf(thrown.getMessage()).contains(message), thrown.getMessage());
    }

    @Test
    void saysWhatIsMissing() throws IOException {
        assertMissing("tasks.csv");
        write("tasks.csv", HEAD + "a,1,500,,1,1,0,1\n");
        assertMissing("nodes.csv");
        write("nodes.csv", "name,model\n");
        assertMissing("has no column devices or gpu or num_gpu");
        write("nodes.csv", NODES.replace(",2,8000", ",0,8000").replace(",1,4000", ",0,4000"));
        assertMissing("has no node with a device");
        write("nodes.csv", NODES);
        write("tasks.csv", HEAD);
        assertMissing("has no tasks");
        write("tasks.csv", "a,b\n");
        assertMissing("has no column name");
        Files.write(folder.resolve("tasks.csv"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertMissing("is no text");
    }

    private void assertMissing(String message) {
        TraceException thrown = assertThrows(TraceException.class, () -> TraceFiles.read(folder));
        assertTrue(String.valueOf(thrown.getMessage()).contains(message), thrown.getMessage());
    }

    @Test
    void seedsAreOneOrFromTo() {
        assertEquals(List.of(7L), Seeds.parse("7"));
        assertEquals(List.of(42L, 43L, 44L), Seeds.parse("42-44"));
        for (String each : List.of("", "-1", "5-4", "1-", "x", "0-999999999999999", "1,2")) {
            assertThrows(IllegalArgumentException.class, () -> Seeds.parse(each), each);
        }
    }
}
