package facet.jit.emit;

import facet.jit.math.BF16;
import facet.jit.math.BF16x2;
import facet.jit.math.Bits32;
import facet.jit.math.Convert;
import facet.jit.math.ConvertToFloat;
import facet.jit.math.ConvertToInteger;
import facet.jit.math.F16;
import facet.jit.math.F16x2;
import facet.jit.math.F32;
import facet.jit.math.F64;
import facet.jit.math.Int16;
import facet.jit.math.Int32;
import facet.jit.math.Int64;
import facet.jit.math.Packed;
import facet.jit.math.Stochastic;
import facet.ptx.Type;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the method of {@code facet.jit.math} that does an instruction, by its name. */
final class Intrinsics {
    private static final Map<Class<?>, Map<String, Method>> METHODS = new HashMap<>();

    static {
        for (Class<?> owner :
                List.of(
                        F32.class,
                        F64.class,
                        F16.class,
                        F16x2.class,
                        BF16.class,
                        BF16x2.class,
                        Int16.class,
                        Int32.class,
                        Bits32.class,
                        Int64.class,
                        Packed.class,
                        Convert.class,
                        ConvertToFloat.class,
                        ConvertToInteger.class,
                        Stochastic.class)) {
            Map<String, Method> byName = new HashMap<>();
            for (Method method : owner.getDeclaredMethods()) {
                if (Modifier.isPublic(method.getModifiers())) {
                    byName.put(method.getName(), method);
                }
            }
            METHODS.put(owner, byName);
        }
    }

    private Intrinsics() {}

    /** The classes that hold the arithmetic of a type. */
    private static List<Class<?>> owners(Type type) {
        return switch (type) {
            case F32 -> List.of(F32.class);
            case F64 -> List.of(F64.class);
            case F16 -> List.of(F16.class);
            case BF16 -> List.of(BF16.class);
            case F16X2 -> List.of(F16x2.class);
            case BF16X2 -> List.of(BF16x2.class);
            case U16X2, S16X2 -> List.of(Packed.class);
            case U16, S16, B16 -> List.of(Int16.class);
            case U64, S64, B64 -> List.of(Int64.class);
            default -> List.of(Int32.class, Bits32.class, Packed.class);
        };
    }

    /** The first of the names that the arithmetic of the type has. */
    static Optional<Method> find(Type type, String... names) {
        for (String name : names) {
            for (Class<?> owner : owners(type)) {
                Method method = METHODS.get(owner).get(name);
                if (method != null) {
                    return Optional.of(method);
                }
            }
        }
        return Optional.empty();
    }

    static Optional<Method> conversion(String... names) {
        for (String name : names) {
            for (Class<?> owner :
                    List.of(
                            Convert.class,
                            ConvertToFloat.class,
                            ConvertToInteger.class,
                            Stochastic.class)) {
                Method method = METHODS.get(owner).get(name);
                if (method != null) {
                    return Optional.of(method);
                }
            }
        }
        return Optional.empty();
    }

    /** {@code s16x2} as it stands in a method name: {@code S16x2}. */
    static String name(Type type) {
        return capital(type.text());
    }

    static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
