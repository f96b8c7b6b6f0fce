package facet.jit;

import facet.jit.pass.Builtin;
import facet.jit.runtime.RuntimeError;
import facet.ptx.Declaration;
import facet.ptx.Function;
import facet.ptx.Module;
import facet.ptx.Parser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Functions of CUDA's device runtime that are PTX themselves: those in which threads wait, and the
 * texts of errors. A module that only declares one gets its body, as a linker would give it.
 */
public final class DeviceLibrary {
    private static final String WAITING = "device-runtime.ptx";

    /** Other names of the same function. */
    private static final Map<String, String> ALIASES =
            Map.of(
                    "cudaCGSynchronizeGrid",
                    "cudaCGSynchronize",
                    "__cudaDeviceSynchronizeDeprecationAvoidance",
                    "cudaDeviceSynchronize");

    /** Parsed when the first module needs one of them. */
    private static final class Texts {
        /** Which text has the function of a name. */
        static final Map<String, Module> BY_FUNCTION = new HashMap<>();

        static {
            add(Parser.parse(read()));
            add(Parser.parse(errorTexts("cudaGetErrorName")));
            add(Parser.parse(errorTexts("cudaGetErrorString")));
        }

        private static void add(Module text) {
            for (Declaration each : text.declarations()) {
                if (each instanceof Function function && function.body() != null) {
                    BY_FUNCTION.put(function.name(), text);
                }
            }
        }
    }

    private DeviceLibrary() {}

    /** The module with what it lacks of the library, in front of what it has itself. */
    public static Module complete(Module module) {
        Set<String> defined = new HashSet<>();
        List<Function> declared = new ArrayList<>();
        for (Declaration each : module.declarations()) {
            if (each instanceof Function function) {
                if (function.body() != null) {
                    defined.add(function.name());
                } else if (isOfRuntime(function.name())) {
                    declared.add(function);
                }
            } else if (each instanceof Declaration.Alias alias) {
                defined.add(alias.name());
            }
        }
        Set<Declaration> added = new LinkedHashSet<>();
        Set<String> replaced = new HashSet<>();
        for (Function each : declared) {
            String name = plainName(each.name());
            Module text = Texts.BY_FUNCTION.get(name);
            if (text != null && !defined.contains(each.name()) && replaced.add(each.name())) {
                take(text, name, each.name(), added);
            }
        }
        if (added.isEmpty()) {
            return module;
        }
        List<Declaration> all = new ArrayList<>(added);
        for (Declaration each : module.declarations()) {
            if (!(each instanceof Function function && replaced.contains(function.name()))) {
                all.add(each);
            }
        }
        return new Module(module.version(), module.targets(), module.addressSize(), all);
    }

    private static boolean isOfRuntime(String name) {
        return name.startsWith("cuda") || name.startsWith("__cuda");
    }

    private static String plainName(String name) {
        return ALIASES.getOrDefault(name, Builtin.plainName(name));
    }

    /** What the text declares, its variables, and the function under the name that is asked for. */
    private static void take(Module text, String name, String wanted, Set<Declaration> into) {
        @Nullable Function found = null;
        for (Declaration each : text.declarations()) {
            if (!(each instanceof Function function) || function.body() == null) {
                into.add(each);
            } else if (function.name().equals(name)) {
                found = function;
            }
        }
        Function function = Objects.requireNonNull(found);
        into.add(
                new Function(
                        function.position(),
                        function.linkage(),
                        false,
                        wanted,
                        function.results(),
                        function.parameters(),
                        function.directives(),
                        function.body()));
    }

    private static String read() {
        try (InputStream stream =
                Objects.requireNonNull(DeviceLibrary.class.getResourceAsStream(WAITING))) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One variable for each text, and a function that finds it. */
    private static String errorTexts(String function) {
        boolean names = function.equals("cudaGetErrorName");
        StringBuilder variables = new StringBuilder();
        StringBuilder choices = new StringBuilder();
        String prefix = names ? "__facet_error_name" : "__facet_error_text";
        variable(variables, prefix, names ? "cudaErrorUnknown" : "unknown error");
        for (RuntimeError each : RuntimeError.values()) {
            variable(variables, prefix + each.number(), names ? each.title() : each.description());
            choices.append(
                    "setp.eq.u32 %%this, %%error, %d;\n@%%this mov.u64 %%text, %s%d;\n"
                            .formatted(each.number(), prefix, each.number()));
        }
        return """
        .version 9.0
        .target sm_75
        .address_size 64
        %s
        .visible .func (.param .b64 result) %s (.param .b32 error)
        {
        .reg .b64 %%text;
        .reg .b32 %%error;
        .reg .pred %%this;
        ld.param.b32 %%error, [error];
        mov.u64 %%text, %s;
        %s
        cvta.global.u64 %%text, %%text;
        st.param.b64 [result], %%text;
        ret;
        }
        """
                .formatted(variables, function, prefix, choices);
    }

    private static void variable(StringBuilder into, String name, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        into.append(".global .align 1 .b8 ").append(name);
        into.append('[').append(bytes.length + 1).append("] = {");
        for (byte each : bytes) {
            into.append(each).append(", ");
        }
        into.append("0};\n");
    }
}
