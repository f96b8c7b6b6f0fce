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

    @Override
    public void moduleLoad(Envelope envelope, ModuleLoad command) {
        SessionContext context = session.context(envelope);
        context.checkFree(command.module());
        context.checkRange(command.image(), command.imageBytes());
        MemorySegment place = context.bytes(command.answer(), command.answerCapacity());
        if (!session.tally().beginImage(command.imageBytes())) {
            fail(envelope, context, place, Result.ERROR_OUT_OF_MEMORY, TOO_MUCH_CODE);
            return;
        }
        try {
            List<String> texts = texts(context, command);
            if (session.tally().takeText(texts)) {
                load(envelope, context, command, texts, place);
            } else {
                fail(envelope, context, place, Result.ERROR_OUT_OF_MEMORY, TOO_MUCH_CODE);
            }
        } catch (ImageException e) {
            fail(envelope, context, place, e.kind().code(), String.valueOf(e.getMessage()));
        } catch (DeviceException e) {
            // The client tells its user what stands in the log.
            e.lacking().ifPresent(each -> session.lacks(Kind.INSTRUCTION, each));
            fail(envelope, context, place, e.error().code(), String.valueOf(e.getMessage()));
        } catch (OutOfMemoryError e) {
            fail(envelope, context, place, Result.ERROR_OUT_OF_MEMORY, "the image is too large");
        } catch (StackOverflowError e) {
            fail(envelope, context, place, Result.ERROR_INVALID_PTX, "it is nested too deeply");
        } catch (ProtocolViolation e) {
            throw e;
        } catch (RuntimeException e) {
            session.defect("a module", e);
            fail(envelope, context, place, Result.ERROR_INVALID_PTX, "Facet failed on it: " + e);
        } finally {
            session.tally().endImage(command.imageBytes());
        }
    }

    /** The texts are given back when no module comes of them. */
    private void load(
            Envelope envelope,
            SessionContext context,
            ModuleLoad command,
            List<String> texts,
            MemorySegment place) {
        boolean kept = false;
        try {
            String ptx = texts.getFirst();
            LoadedModule loaded =
                    texts.size() == 1 ? context.device().load(ptx) : context.device().link(texts);
            kept = answer(envelope, context, command, loaded, texts, place);
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
    private boolean answer(
            Envelope envelope,
            SessionContext context,
            ModuleLoad command,
            LoadedModule loaded,
            List<String> texts,
            MemorySegment place) {
        byte[] answer = ModuleAnswer.of(loaded, texts.getFirst(), context.computeCapability());
        if (answer.length > place.byteSize()) {
            close(context, loaded, 0, () -> {});
            session.reply(envelope, context, Result.SUCCESS, answer.length);
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
            close(context, loaded, 0, () -> {});
            fail(
                    envelope,
                    context,
                    place,
                    Result.ERROR_OUT_OF_MEMORY,
                    "its variables need " + Size.text(taken) + ", more than the slice has left");
            return false;
        }
        context.modulesTook(taken);
        try {
            managed(loaded).forEach(context.memory()::show);
        } catch (DeviceException e) {
            close(context, loaded, taken, () -> {});
            throw e;
        }
        context.put(command.module(), new SessionModule(loaded, taken, texts));
        context.report().used(context.takenByHost());
        MemorySegment.copy(answer, 0, place, ValueLayout.JAVA_BYTE, 0, answer.length);
        session.reply(envelope, context, Result.SUCCESS, answer.length);
        return true;
    }

    private static Stream<LoadedModule.Variable> managed(LoadedModule module) {
        return module.variables().values().stream().filter(LoadedModule.Variable::managed);
    }

    private void fail(
            Envelope envelope,
            SessionContext context,
            MemorySegment place,
            int result,
            String message) {
        session.log("a module is refused: " + message);
        byte[] answer = ModuleAnswer.ofLog(message, place.byteSize());
        MemorySegment.copy(answer, 0, place, ValueLayout.JAVA_BYTE, 0, answer.length);
        session.reply(envelope, context, result, answer.length);
    }

    @Override
    public void moduleUnload(Envelope envelope, ModuleUnload command) {
        SessionContext context = session.context(envelope);
        SessionModule module = context.removeModule(command.module());
        close(
                context,
                module.device(),
                module.taken(),
                () -> {
                    session.tally().giveText(module.texts());
                    context.moduleEnded();
                });
    }

    /** Its variables may be in use: closing waits for that, and then it is not done here. */
    private void close(SessionContext context, LoadedModule module, long taken, Runnable atEnd) {
        Runnable end =
                () -> {
                    try {
                        managed(module).forEach(context.memory()::hide);
                        module.close();
                        session.giveBack(context, taken);
                    } finally {
                        atEnd.run();
                    }
                };
        if (context.isIdle()) {
            end.run();
        } else {
            context.whenAllEnded(() -> Thread.ofVirtual().name("facet-module-end").start(end));
        }
    }

    @Override
    public void functionAttribute(Envelope envelope, FunctionAttribute command) {
        SessionContext context = session.context(envelope);
        KernelInfo kernel = context.module(command.module()).info(command.function());
        boolean fits =
                command.attribute() != ATTRIBUTE_DYNAMIC_SHARED
                        || command.value() >= 0
                                && command.value()
                                        <= context.sharedPerBlockOptin() - kernel.staticShared();
        session.reply(envelope, context, fits ? Result.SUCCESS : Result.ERROR_INVALID_VALUE);
    }
}
