package facet.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/**
 * Who this process is.
 *
 * <p>SAFETY: the functions take nothing and cannot fail.
 */
public final class ProcessUnsafe {
    private static final MethodHandle GETUID =
            DowncallUnsafe.handle("getuid", FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle GETGID =
            DowncallUnsafe.handle("getgid", FunctionDescriptor.of(JAVA_INT));

    private ProcessUnsafe() {}

    public static int user() {
        try {
            return (int) GETUID.invokeExact(DowncallUnsafe.state());
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    public static int group() {
        try {
            return (int) GETGID.invokeExact(DowncallUnsafe.state());
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }
}
