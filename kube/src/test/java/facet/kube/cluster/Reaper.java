package facet.kube.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Ends what lives in a folder, and removes the folder. It is a process of its own that waits for
 * the end of this one's pipe, so it does its work also when the JVM is killed. What lives there are
 * the processes whose working directory it is or is in it, and the containers of a {@link
 * NodeMachine}.
 */
final class Reaper implements AutoCloseable {
    private static final String SCRIPT =
            """
            cd /
            while read -r _; do :; done
            for each in /proc/[0-9]*; do
                case $(readlink "$each/cwd") in
                    "$1" | "$1"/*) kill -KILL "${each#/proc/}" ;;
                esac
                # A container: its files are layers in the folder.
                if grep -q "dir=$1/" "$each/mountinfo"; then kill -KILL "${each#/proc/}"; fi
            done 2> /dev/null
            sleep 0.2
            for each in "$1"/*/state/io.containerd.runtime.v2.task/k8s.io/*; do
                rmdir /sys/fs/cgroup/k8s.io/"${each##*/}" /sys/fs/cgroup/*/k8s.io/"${each##*/}"
            done 2> /dev/null
            for try in 1 2 3 4 5; do rm -rf "$1" && break; sleep 0.2; done
            """;

    private final Path folder;
    private final Process process;

    private Reaper(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
    }

    /** A new folder, with a short name: there may be sockets in it. */
    static Reaper create() throws IOException {
        Path folder = Files.createTempDirectory("facet-kube-").toRealPath();
        // In a session of its own: what a terminal ends is not it.
        return new Reaper(
                folder,
                new ProcessBuilder("setsid", "sh", "-c", SCRIPT, "reaper", folder.toString())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start());
    }

    Path folder() {
        return folder;
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
