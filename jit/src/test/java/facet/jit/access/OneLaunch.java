package facet.jit.access;

import facet.jit.access.Trial.World;
import facet.jit.emit.Emitter;
import facet.jit.runtime.Block;
import facet.jit.runtime.BlockRunner;
import facet.jit.runtime.ClusterShape;
import facet.jit.runtime.Grid;
import facet.jit.runtime.KernelFault;
import facet.jit.runtime.NoServices;
import facet.jit.runtime.PeerWindows;
import facet.jit.runtime.Shape;
import facet.jit.runtime.Site;
import facet.jit.texture.TextureTable;
import java.util.List;

/** Runs one block in the {@link World}, without a device. */
final class OneLaunch {
    private OneLaunch() {}

    private static long address(AccessKernel kernel, String symbol) {
        long first = kernel.zone() + World.ZONE_BYTES;
        return symbol.equals("gv") ? first : first + AccessKernel.VARIABLE;
    }

    private static PeerWindows windows(AccessKernel kernel, Trial trial, long start) {
        long peer = trial.peer(kernel);
        return trial.peerBytes() == 0
                ? PeerWindows.NONE
                : PeerWindows.of(
                        window(trial, peer, start),
                        trial.peerWrites() ? window(trial, peer, start) : List.of());
    }

    private static List<PeerWindows.Window> window(Trial trial, long peer, long start) {
        return List.of(
                new PeerWindows.Window(peer, trial.peerBytes(), start + World.PEER_AT - peer));
    }

    static boolean faults(
            AccessKernel kernel,
            Trial trial,
            World world,
            Emitter.Emitted code,
            List<String> symbols) {
        long start = world.memory().address();
        Grid grid =
                new Grid(
                        kernel.zone() - trial.low(),
                        trial.low() + World.ZONE_BYTES + trial.high(),
                        start + World.ZONE_AT - kernel.zone(),
                        windows(kernel, trial, start),
                        TextureTable.EMPTY,
                        start + World.PARAMETERS_AT,
                        AccessKernel.PARAMETERS,
                        symbols.stream().mapToLong(each -> address(kernel, each)).toArray(),
                        0,
                        1,
                        1,
                        1,
                        new Shape(kernel.threads(), 1, 1),
                        trial.sharedBytes(),
                        trial.dynamicShared(),
                        trial.localBytes(),
                        1,
                        1,
                        ClusterShape.NONE,
                        NoServices.NONE);
        Block block =
                new Block(
                        grid,
                        code.intSlots(),
                        code.longSlots(),
                        start + World.SHARED_AT,
                        start + World.LOCAL_AT);
        block.begin(0);
        try {
            new BlockRunner(
                            code.code(),
                            code.sites().toArray(Site[]::new),
                            code.regions(),
                            code.spins(),
                            code.inStep(),
                            code.storing(),
                            code.lanes())
                    .run(block);
            return false;
        } catch (KernelFault fault) {
            return true;
        }
    }
}
