package facet.host.session;

import facet.abi.Envelope;
import facet.abi.FunctionAttribute;
import facet.abi.ModuleHandler;
import facet.abi.ModuleLoad;
import facet.abi.ModuleUnload;
import facet.abi.Result;
import facet.device.DeviceException;
import facet.device.KernelInfo;
import facet.device.LoadedModule;
import facet.host.image.ImageException;
import facet.host.image.ModuleImage;
import facet.host.ledger.UnsupportedCounts.Kind;
import facet.slices.Size;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.Stream;

/** Modules. An image is copied out of the client's reach once, then looked at. */
final class ModuleCommands implements ModuleHandler {
    private static final long MOST_IMAGE_BYTES = 256L << 20;
    private static final long VARIABLE_ALIGNMENT = 256;

    private static final int ATTRIBUTE_DYNAMIC_SHARED = 8;

    private static final String TOO_MUCH_CODE =
            "the programs of this slice have more code than the daemon has room for; unload"
                    + " modules, or give the daemon more heap (-Xmx)";

    private final Session session;

    ModuleCommands(Session session) {
        this.session = session;
    }

    /** Answered when the module is there: whoever loads does so elsewhere, other commands go on. */
    @Override
    public void moduleLoad(Envelope envelope, ModuleLoad command) {
        SessionContext context = session.context(envelope);
        context.checkRange(command.image(), command.imageBytes());
        MemorySegment place = context.bytes(command.answer(), command.answerCapacity());
        Load load =
                new Load(
                        envelope,
                        context,
                        command,
                        context.modules().begin(command.module()),
                        place);
        if (!session.tally().beginImage(command.imageBytes())) {
            fail(load, Result.ERROR_OUT_OF_MEMORY, TOO_MUCH_CODE);
            return;
        }
        session.making().run(context, () -> load(load));
    }

    /**
     * @param module has its number, and is not loaded yet
     * @param place of the answer
     */
    private record Load(
            Envelope envelope,
            SessionContext context,
            ModuleLoad command,
            SessionModule module,
            MemorySegment place) {}

    private void load(Load load) {
        try {
            List<String> texts = texts(load.context, load.command);
            if (session.tally().takeText(texts)) {
                load(load, texts);
            } else {
                fail(load, Result.ERROR_OUT_OF_MEMORY, TOO_MUCH_CODE);
            }
        } catch (ImageException e) {
            fail(load, e.kind().code(), String.valueOf(e.getMessage()));
        } catch (DeviceException e) {
            // The client tells its user what stands in the log.
            e.lacking().ifPresent(each -> session.lacks(Kind.INSTRUCTION, each));
            fail(load, e.error().code(), String.valueOf(e.getMessage()));
        } catch (OutOfMemoryError e) {
            fail(load, Result.ERROR_OUT_OF_MEMORY, "the image is too large");
        } catch (StackOverflowError e) {
            fail(load, Result.ERROR_INVALID_PTX, "it is nested too deeply");
        } catch (RuntimeException e) {
            session.defect("a module", e);
            fail(load, Result.ERROR_INVALID_PTX, "Facet failed on it: " + e);
        } finally {
            session.tally().endImage(load.command.imageBytes());
        }
    }

    /** The texts are given back when no module comes of them. */
    private void load(Load load, List<String> texts) {
        boolean kept = false;
        try {
            LoadedModule loaded =
                    texts.size() == 1
                            ? load.context.device().load(texts.getFirst())
                            : load.context.device().link(texts);
            kept = answer(load, loaded, texts);
        } finally {
            if (!kept) {
                session.tally().giveText(texts);
            }
        }
    }

    private static List<String> texts(SessionContext context, ModuleLoad command)
            throws ImageException {
        if (command.imageBytes() > MOST_IMAGE_BYTES) {
            throw new ImageException(
                    ImageException.Kind.MALFORMED,
                    "an image of more than " + Size.text(MOST_IMAGE_BYTES));
        }
        byte[] image =
                context.bytes(command.image(), command.imageBytes()).toArray(ValueLayout.JAVA_BYTE);
        return ModuleImage.texts(image, context.computeCapability());
    }

    /** Whether the client has the module now. */
    private boolean answer(Load load, LoadedModule loaded, List<String> texts) {
        SessionContext context = load.context;
        byte[] answer = ModuleAnswer.of(loaded, texts.getFirst(), context.computeCapability());
        if (answer.length > load.place.byteSize()) {
            closeUnused(context, loaded, 0);
            context.modules().failed(load.command.module(), load.module);
            session.reply(load.envelope, context, Result.SUCCESS, answer.length);
            return false;
        }
        long taken =
                loaded.variables().values().stream()
                        .mapToLong(each ->
                                (Math.max(each.bytes(), 1) + VARIABLE_ALIGNMENT - 1)
                                        / VARIABLE_ALIGNMENT
                                        * VARIABLE_ALIGNMENT)
                        .sum();
        if (taken > 0 && !context.ledger().take(session.options().ledgerSlot(), taken)) {
            closeUnused(context, loaded, 0);
            fail(
                    load,
                    Result.ERROR_OUT_OF_MEMORY,
                    "its variables need " + Size.text(taken) + ", more than the slice has left");
            return false;
        }
        context.modulesTook(taken);
        try {
            managed(loaded).forEach(context.memory()::show);
        } catch (DeviceException e) {
            closeUnused(context, loaded, taken);
            throw e;
        }
        context.modules().placed(loaded, context.memory());
        load.module.loaded(loaded, taken, texts);
        context.report().used(context.takenByHost());
        MemorySegment.copy(answer, 0, load.place, ValueLayout.JAVA_BYTE, 0, answer.length);
        session.reply(load.envelope, context, Result.SUCCESS, answer.length);
        return true;
    }

    private static Stream<LoadedModule.Variable> managed(LoadedModule module) {
        return module.variables().values().stream().filter(LoadedModule.Variable::managed);
    }

    private void fail(Load load, int result, String message) {
        session.log("a module is refused: " + message);
        byte[] answer = ModuleAnswer.ofLog(message, load.place.byteSize());
        MemorySegment.copy(answer, 0, load.place, ValueLayout.JAVA_BYTE, 0, answer.length);
        // Before the answer: the client may give the number to another one then.
        load.context.modules().failed(load.command.module(), load.module);
        session.reply(load.envelope, load.context, result, answer.length);
    }

    @Override
    public void moduleUnload(Envelope envelope, ModuleUnload command) {
        SessionContext context = session.context(envelope);
        SessionModule module = context.modules().remove(command.module());
        Runnable end =
                () -> {
                    try {
                        close(context, module.device(), module.taken());
                    } finally {
                        session.tally().giveText(module.texts());
                        context.modules().ended();
                    }
                };
        // Its variables may be in use: closing waits for that, and then it is not done here.
        if (context.streams().areIdle()) {
            end.run();
        } else {
            context.streams()
                    .whenAllEnded(() -> Thread.ofVirtual().name("facet-module-end").start(end));
        }
    }

    /** Nobody has used it; but the device waits all the same before it takes variables back. */
    private void closeUnused(SessionContext context, LoadedModule module, long taken) {
        if (module.variables().isEmpty()) {
            close(context, module, taken);
        } else {
            Thread.ofVirtual().name("facet-module-end").start(() -> close(context, module, taken));
        }
    }

    private void close(SessionContext context, LoadedModule module, long taken) {
        managed(module).forEach(context.memory()::hide);
        context.modules().displaced(module);
        module.close();
        session.giveBack(context, taken);
    }

    @Override
    public void functionAttribute(Envelope envelope, FunctionAttribute command) {
        SessionContext context = session.context(envelope);
        KernelInfo kernel = context.modules().get(command.module()).info(command.function());
        boolean fits =
                command.attribute() != ATTRIBUTE_DYNAMIC_SHARED
                        || command.value() >= 0
                                && command.value()
                                        <= context.sharedPerBlockOptin() - kernel.staticShared();
        session.reply(envelope, context, fits ? Result.SUCCESS : Result.ERROR_INVALID_VALUE);
    }
}
