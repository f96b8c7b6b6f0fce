package facet.jit.pass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.jit.runtime.Block;
import facet.ptx.Type;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class BuiltinTest {
    static List<Builtin> all() {
        return List.copyOf(Builtin.all());
    }

    @ParameterizedTest
    @MethodSource("all")
    void hasAMethodWithItsParameters(Builtin builtin) throws ReflectiveOperationException {
        Class<?> owner = Class.forName(Block.class.getPackageName() + "." + builtin.owner());
        List<Class<?>> parameters = new ArrayList<>(List.of(Block.class, int.class));
        for (Builtin.Parameter each : builtin.parameters()) {
            for (int i = 0; i < each.count(); i++) {
                parameters.add(java(each.type()));
            }
        }
        Method method = owner.getMethod(builtin.method(), parameters.toArray(Class<?>[]::new));
        Type result = builtin.result();
        assertEquals(result == null ? void.class : java(result), method.getReturnType());
    }

    private static Class<?> java(Type type) {
        return type == Type.B64 ? long.class : int.class;
    }

    @ParameterizedTest
    @CsvSource({
        "vprintf, vprintf",
        "__cudaCDP2LaunchDeviceV2, cudaLaunchDeviceV2",
        "__cudaCDP2LaunchDeviceV2_ptsz, cudaLaunchDeviceV2",
        "cudaMemcpyAsync_ptsz, cudaMemcpyAsync",
        "other_ptsz, other_ptsz"
    })
    void bothGenerationsHaveOneName(String name, String plain) {
        assertEquals(plain, Builtin.plainName(name));
    }

    @Test
    void namesAreThoseOfTheHost() {
        assertEquals(
                0,
                Builtin.all().stream()
                        .filter(each -> !each.name().equals(Builtin.plainName(each.name())))
                        .count());
    }
}
