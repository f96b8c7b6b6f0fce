package facet.pool.relay;

import facet.abi.Allocate;
import facet.abi.Copy;
import facet.abi.CopyBox;
import facet.abi.Envelope;
import facet.abi.Free;
import facet.abi.FreeAsync;
import facet.abi.GraphStep;
import facet.abi.MalformedCommand;
import facet.abi.ModuleLoad;
import facet.abi.ModuleUnload;
import facet.abi.RecordHeaderLayout;
import facet.abi.ReturnPages;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** What goes with a program's commands: data that they read, and memory that they share. */
final class CommandData {
    private CommandData() {}

    /** How much that is. */
    static long bytes(int type, MemorySegment record, NearContext context) throws MalformedCommand {
        return switch (type) {
            case Copy.TYPE -> {
                Copy copy = Copy.decode(record);
                yield context.isStaging(copy.source()) ? copy.bytes() : 0;
            }
            case CopyBox.TYPE -> {
                CopyBox box = CopyBox.decode(record);
                yield context.isStaging(box.source()) ? NearContext.extent(box) : 0;
            }
            case ModuleLoad.TYPE -> ModuleLoad.decode(record).imageBytes();
            default -> 0;
        };
    }

    /** Sends it, before the command. */
    static void send(int type, MemorySegment record, NearContext context, BulkLane data)
            throws MalformedCommand, IOException {
        switch (type) {
            case Allocate.TYPE -> {
                Allocate command = Allocate.decode(record);
                if (context.holds(command.address(), command.bytes())) {
                    context.allocate(command.address(), command.bytes(), command.kind(), data);
                }
            }
            case Free.TYPE -> context.free(Free.decode(record).address(), data);
            case FreeAsync.TYPE -> context.free(FreeAsync.decode(record).address(), data);
            case Copy.TYPE -> {
                Copy copy = Copy.decode(record);
                if (context.isStaging(copy.source())) {
                    context.send(copy.source(), copy.bytes(), data);
                }
                context.shareStaging(copy.destination(), data);
            }
            case CopyBox.TYPE -> {
                CopyBox box = CopyBox.decode(record);
                if (context.isStaging(box.source())) {
                    context.send(box.source(), NearContext.extent(box), data);
                }
                context.shareStaging(box.destination(), data);
            }
            case ModuleLoad.TYPE -> {
                ModuleLoad load = ModuleLoad.decode(record);
                context.send(load.image(), load.imageBytes(), data);
            }
            case ReturnPages.TYPE -> {
                ReturnPages pages = ReturnPages.decode(record);
                context.giveBack(pages.address(), pages.bytes());
            }
            case ModuleUnload.TYPE -> context.unloaded(ModuleUnload.decode(record).module());
            case GraphStep.TYPE -> shareOfStep(GraphStep.decode(record), context, data);
            default -> {}
        }
    }

    /**
     * A graph is launched later, and often: its staging memory is shared as long as it is there.
     */
    private static void shareOfStep(GraphStep step, NearContext context, BulkLane data)
            throws MalformedCommand, IOException {
        if (step.command().length < RecordHeaderLayout.BYTES) {
            return;
        }
        MemorySegment record = MemorySegment.ofArray(step.command());
        int type = Envelope.type(record);
        if (type == Copy.TYPE) {
            Copy copy = Copy.decode(record);
            context.shareStaging(copy.source(), data);
            context.shareStaging(copy.destination(), data);
        } else if (type == CopyBox.TYPE) {
            CopyBox box = CopyBox.decode(record);
            context.shareStaging(box.source(), data);
            context.shareStaging(box.destination(), data);
        }
    }
}
