package facet.system.tests;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes executables of programs. */
final class Builder {
    /** PTX and nothing else: what a device without NVIDIA's machine code can run. */
    static final List<String> PTX_ONLY = List.of("-gencode", "arch=compute_75,code=compute_75");

    private static final List<String> C_FLAGS =
            List.of("-std=gnu11", "-Wall", "-Wextra", "-O1", "-g");

    private final Tools tools = Tools.found();

    /** One compilation for all forms: nvcc takes a second or two. */
    Path object(Program program, List<String> architecture) {
        List<String> command = new ArrayList<>();
        command.add(tools.nvcc().orElseThrow().toString());
        command.addAll(List.of("-std=c++17", "-O1", "-c"));
        command.addAll(architecture);
        command.addAll(program.flags());
        command.add(program.source().toString());
        List<Path> inputs =
                new ArrayList<>(List.of(program.source(), Places.PROGRAMS.resolve("check.h")));
        if (program.name().startsWith("compressed_")) {
            inputs.add(Places.PROGRAMS.resolve("vector_add.cu"));
        }
        Path object = Cache.file(program.name() + ".o", inputs, command);
        return program.flags().contains("-rdc=true")
                ? linkedOnDevice(program, object, architecture)
                : object;
    }

    /**
     * Device code that is linked when the program starts: with what registers it, as one object.
     */
    private Path linkedOnDevice(Program program, Path object, List<String> architecture) {
        // nvcc knows an object by its suffix, which files in the cache do not have.
        List<String> command =
                new ArrayList<>(
                        List.of("sh", "-c", "ln -sf \"$0\" \"$0.o\" && exec \"$@\" \"$0.o\""));
        command.add(object.toString());
        command.add(tools.nvcc().orElseThrow().toString());
        command.addAll(List.of("-dlink", "-lcudadevrt"));
        command.addAll(architecture);
        Path registering = Cache.file(program.name() + ".dlink.o", List.of(object), command);
        return Cache.file(
                program.name() + ".whole.o",
                List.of(object, registering),
                List.of(
                        "ld",
                        "-r",
                        object.toString(),
                        registering.toString(),
                        tools.cuda().orElseThrow().resolve("lib64/libcudadevrt.a").toString()));
    }

    Path link(String name, Path object, Form form, List<String> flags) {
        Path lib = tools.cuda().orElseThrow().resolve("lib64");
        List<Path> inputs = new ArrayList<>(List.of(object));
        List<String> command = new ArrayList<>(List.of("g++", object.toString()));
        switch (form) {
            case SHARED -> command.addAll(List.of("-L" + lib, "-lcudart"));
            case STATIC -> command.add(lib.resolve("libcudart_static.a").toString());
            case DRIVER -> {
                Path runtime = thinRuntime();
                inputs.add(runtime);
                command.add(runtime.toString());
                command.add(Places.library("libcuda.so.1").toString());
            }
        }
        command.addAll(flags);
        command.addAll(List.of("-lpthread", "-ldl", "-lrt"));
        return Cache.file(name, inputs, command);
    }

    private Path thinRuntime() {
        Path source = Places.PROGRAMS.resolve("thin_runtime.c");
        List<String> command = new ArrayList<>(List.of(tools.compiler().toString(), "-c"));
        command.addAll(C_FLAGS);
        command.addAll(tools.includes());
        command.add(source.toString());
        return Cache.file("thin_runtime.o", List.of(source), command);
    }

    /** A program of the driver API: a C compiler is all it takes. */
    Path driver(Program program) {
        return driver(program, List.of());
    }

    Path driver(Program program, List<String> flags) {
        List<String> command = new ArrayList<>(List.of(tools.compiler().toString()));
        command.addAll(C_FLAGS);
        command.addAll(flags);
        command.addAll(tools.includes());
        command.add("-DPTX_DIRECTORY=\"" + Places.PTX + "\"");
        command.add(program.source().toString());
        program.library().ifPresent(name -> command.add(Places.library(name).toString()));
        command.addAll(program.flags());
        command.addAll(List.of("-lpthread", "-ldl"));
        List<Path> inputs =
                new ArrayList<>(List.of(program.source(), Places.DRIVER.resolve("check.h")));
        for (String text :
                List.of("kernels.ptx", "linked.ptx", "parts.ptx", "trouble.ptx", "heap.ptx")) {
            inputs.add(Places.PTX.resolve(text));
        }
        return Cache.file(program.name() + ".c", inputs, command);
    }
}
