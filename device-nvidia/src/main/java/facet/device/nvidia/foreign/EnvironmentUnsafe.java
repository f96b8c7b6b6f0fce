package facet.device.nvidia.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The environment as libraries of this process see it: they read some of it when they begin.
 *
 * <p>SAFETY: setenv copies both texts. The JVM reads its environment once; nobody else of this
 * process reads or changes it while devices are opened.
 */
public final class EnvironmentUnsafe {
    private EnvironmentUnsafe() {}

    @SuppressWarnings("restricted")
    public static void set(String name, String value) {
        Linker linker = Linker.nativeLinker();
        MethodHandle setenv =
                linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("setenv"),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.ADDRESS,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            int result =
                    (int)
                            setenv.invokeExact(
                                    arena.allocateFrom(name), arena.allocateFrom(value), 1);
            if (result != 0) {
                throw new IllegalArgumentException("no environment variable '" + name + "'");
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
