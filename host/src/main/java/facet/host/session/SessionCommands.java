package facet.host.session;

import facet.abi.Allocate;
import facet.abi.Claim;
import facet.abi.CommandHandler;
import facet.abi.ContextCreate;
import facet.abi.ContextDestroy;
import facet.abi.ContextLimit;
import facet.abi.ContextSynchronize;
import facet.abi.Copy;
import facet.abi.CopyBox;
import facet.abi.CopyPeer;
import facet.abi.Envelope;
import facet.abi.EventCreate;
import facet.abi.EventDestroy;
import facet.abi.EventElapsed;
import facet.abi.EventQuery;
import facet.abi.EventRecord;
import facet.abi.EventSynchronize;
import facet.abi.Fill;
import facet.abi.Free;
import facet.abi.FreeAsync;
import facet.abi.FunctionAttribute;
import facet.abi.HostFunction;
import facet.abi.HostFunctionDone;
import facet.abi.Launch;
import facet.abi.ModuleLoad;
import facet.abi.ModuleUnload;
import facet.abi.PeerAccess;
import facet.abi.ReturnPages;
import facet.abi.StreamCreate;
import facet.abi.StreamDestroy;
import facet.abi.StreamQuery;
import facet.abi.StreamSynchronize;
import facet.abi.StreamWaitEvent;
import facet.abi.Touch;
import facet.abi.Unsupported;
import facet.abi.Write;

/** Gives each command to the handler that knows its kind. */
final class SessionCommands implements CommandHandler {
    private final ContextCommands contexts;
    private final MemoryCommands memory;
    private final CopyCommands copies;
    private final ModuleCommands modules;
    private final StreamCommands streams;
    private final EventCommands events;
    private final LaunchCommands launches;
    private final HostFunctionCommands hostFunctions;

    SessionCommands(Session session) {
        contexts = new ContextCommands(session);
        memory = new MemoryCommands(session);
        copies = new CopyCommands(session);
        modules = new ModuleCommands(session);
        streams = new StreamCommands(session);
        events = new EventCommands(session);
        launches = new LaunchCommands(session);
        hostFunctions = new HostFunctionCommands(session);
    }

    @Override
    public void contextCreate(Envelope envelope, ContextCreate command) {
        contexts.create(envelope, command);
    }

    @Override
    public void contextDestroy(Envelope envelope, ContextDestroy command) {
        contexts.destroy(envelope);
    }

    @Override
    public void contextSynchronize(Envelope envelope, ContextSynchronize command) {
        contexts.synchronize(envelope);
    }

    @Override
    public void contextLimit(Envelope envelope, ContextLimit command) {
        contexts.limit(envelope, command);
    }

    @Override
    public void allocate(Envelope envelope, Allocate command) {
        memory.allocate(envelope, command);
    }

    @Override
    public void free(Envelope envelope, Free command) {
        memory.free(envelope, command);
    }

    @Override
    public void freeAsync(Envelope envelope, FreeAsync command) {
        memory.freeAsync(envelope, command);
    }

    @Override
    public void claim(Envelope envelope, Claim command) {
        memory.claim(envelope, command);
    }

    @Override
    public void touch(Envelope envelope, Touch command) {
        memory.touch(envelope);
    }

    @Override
    public void returnPages(Envelope envelope, ReturnPages command) {
        memory.returnPages(envelope, command);
    }

    @Override
    public void copy(Envelope envelope, Copy command) {
        copies.copy(envelope, command);
    }

    @Override
    public void copyPeer(Envelope envelope, CopyPeer command) {
        copies.copyPeer(envelope, command);
    }

    @Override
    public void peerAccess(Envelope envelope, PeerAccess command) {
        contexts.peerAccess(envelope, command);
    }

    @Override
    public void copyBox(Envelope envelope, CopyBox command) {
        copies.copyBox(envelope, command);
    }

    @Override
    public void write(Envelope envelope, Write command) {
        copies.write(envelope, command);
    }

    @Override
    public void fill(Envelope envelope, Fill command) {
        copies.fill(envelope, command);
    }

    @Override
    public void moduleLoad(Envelope envelope, ModuleLoad command) {
        modules.load(envelope, command);
    }

    @Override
    public void moduleUnload(Envelope envelope, ModuleUnload command) {
        modules.unload(envelope, command);
    }

    @Override
    public void functionAttribute(Envelope envelope, FunctionAttribute command) {
        modules.attribute(envelope, command);
    }

    @Override
    public void launch(Envelope envelope, Launch command) {
        launches.launch(envelope, command);
    }

    @Override
    public void streamCreate(Envelope envelope, StreamCreate command) {
        streams.create(envelope, command);
    }

    @Override
    public void streamDestroy(Envelope envelope, StreamDestroy command) {
        streams.destroy(envelope, command);
    }

    @Override
    public void streamSynchronize(Envelope envelope, StreamSynchronize command) {
        streams.synchronize(envelope, command);
    }

    @Override
    public void streamQuery(Envelope envelope, StreamQuery command) {
        streams.query(envelope, command);
    }

    @Override
    public void streamWaitEvent(Envelope envelope, StreamWaitEvent command) {
        streams.waitEvent(envelope, command);
    }

    @Override
    public void eventCreate(Envelope envelope, EventCreate command) {
        events.create(envelope, command);
    }

    @Override
    public void eventDestroy(Envelope envelope, EventDestroy command) {
        events.destroy(envelope, command);
    }

    @Override
    public void eventRecord(Envelope envelope, EventRecord command) {
        events.record(envelope, command);
    }

    @Override
    public void eventSynchronize(Envelope envelope, EventSynchronize command) {
        events.synchronize(envelope, command);
    }

    @Override
    public void eventQuery(Envelope envelope, EventQuery command) {
        events.query(envelope, command);
    }

    @Override
    public void eventElapsed(Envelope envelope, EventElapsed command) {
        events.elapsed(envelope, command);
    }

    @Override
    public void hostFunction(Envelope envelope, HostFunction command) {
        hostFunctions.submit(envelope, command);
    }

    @Override
    public void hostFunctionDone(Envelope envelope, HostFunctionDone command) {
        hostFunctions.done(command);
    }

    @Override
    public void unsupported(Envelope envelope, Unsupported command) {
        hostFunctions.unsupported(command);
    }
}
