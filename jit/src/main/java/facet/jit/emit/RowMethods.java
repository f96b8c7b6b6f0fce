package facet.jit.emit;

import facet.jit.runtime.GathersUnsafe;
import facet.jit.runtime.NarrowVectors;
import facet.jit.runtime.VectorsUnsafe;
import facet.jit.runtime.WideVectors;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Methods of the runtime that do something for a vector of lanes, by name. */
final class RowMethods {
    private static final Map<String, Method> ALL =
            Stream.of(
                            VectorsUnsafe.class,
                            WideVectors.class,
                            NarrowVectors.class,
                            GathersUnsafe.class)
                    .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                    .filter(method -> Modifier.isPublic(method.getModifiers()))
                    .collect(Collectors.toMap(Method::getName, Function.identity()));

    private RowMethods() {}

    static boolean has(String name) {
        return ALL.containsKey(name);
    }

    static Method of(String name) {
        return Objects.requireNonNull(ALL.get(name), name);
    }
}
