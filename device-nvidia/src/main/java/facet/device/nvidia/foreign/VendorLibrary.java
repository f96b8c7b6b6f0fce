package facet.device.nvidia.foreign;

import facet.device.DeviceError;
import facet.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A library of the vendor's, loaded into this process for good.
 *
 * <p>SAFETY: all calls of these libraries take integers and pointers alone, and answer with an int.
 * Every argument is passed as 64 bits, of which a callee that takes 32 looks at the lower ones;
 * that holds for the calling conventions of x86-64 and of 64-bit ARM. That a call has as many
 * arguments as its name is given here is for {@link Driver} and {@link Management} to know.
 */
public final class VendorLibrary {
    private final String name;
    private final SymbolLookup symbols;

    private VendorLibrary(String name, SymbolLookup symbols) {
        this.name = name;
        this.symbols = symbols;
    }

    /**
     * @param folder where it is; empty: where the system's loader finds it
     * @throws DeviceException {@link DeviceError#NO_DEVICE} when it cannot be loaded
     */
    @SuppressWarnings("restricted") // see SAFETY
    public static VendorLibrary load(Optional<Path> folder, String name) {
        try {
            SymbolLookup symbols =
                    folder.isPresent()
                            ? SymbolLookup.libraryLookup(folder.get().resolve(name), Arena.global())
                            : SymbolLookup.libraryLookup(name, Arena.global());
            return new VendorLibrary(name, symbols);
        } catch (IllegalArgumentException e) {
            throw new DeviceException(
                    DeviceError.NO_DEVICE,
                    "the vendor's "
                            + name
                            + " cannot be loaded"
                            + folder.map(each -> " from " + each).orElse("")
                            + "; install the vendor's driver, or say --vendor-libraries DIR",
                    e);
        }
    }

    String name() {
        return name;
    }

    boolean has(String function) {
        return symbols.find(function).isPresent();
    }

    /** A function; one that the library lacks is told by the call. */
    @SuppressWarnings("restricted") // see SAFETY
    Call call(String function, int arguments) {
        MemoryLayout[] layouts = new MemoryLayout[arguments];
        Arrays.fill(layouts, ValueLayout.JAVA_LONG);
        FunctionDescriptor shape = FunctionDescriptor.of(ValueLayout.JAVA_INT, layouts);
        return new Call(
                name,
                function,
                symbols.find(function)
                        .map(address -> Linker.nativeLinker().downcallHandle(address, shape))
                        .orElse(null));
    }
}
