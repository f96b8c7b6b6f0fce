package facet.ring;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import facet.abi.Constants;
import facet.abi.DeviceRecordLayout;
import facet.abi.SessionHeaderLayout;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes and checks the part of a session memory that does not change. */
final class SessionHeaders {
    private SessionHeaders() {}

    static void write(
            MemorySegment memory,
            SessionLayout layout,
            String slice,
            List<DeviceSnapshot> devices) {
        for (int i = 0; i < devices.size(); i++) {
            write(device(memory, layout, i), devices.get(i));
        }
        set(memory, SessionHeaderLayout.PROTOCOL_OFFSET, Constants.PROTOCOL);
        set(memory, SessionHeaderLayout.DEVICE_COUNT_OFFSET, layout.devices());
        set(memory, SessionHeaderLayout.REPLY_OFFSET_OFFSET, layout.replies());
        set(memory, SessionHeaderLayout.CONTEXT_OFFSET_OFFSET, layout.contexts());
        set(memory, SessionHeaderLayout.DEVICE_OFFSET_OFFSET, layout.deviceRecords());
        set(memory, SessionHeaderLayout.COMMAND_OFFSET_OFFSET, layout.commands());
        set(memory, SessionHeaderLayout.OUTPUT_OFFSET_OFFSET, layout.output());
        set(memory, SessionHeaderLayout.CALLBACK_OFFSET_OFFSET, layout.callbacks());
        set(memory, SessionHeaderLayout.BYTES_OFFSET, layout.bytes());
        text(memory, SessionHeaderLayout.SLICE_OFFSET, SessionHeaderLayout.SLICE_COUNT, slice);
        set(memory, SessionHeaderLayout.MAGIC_OFFSET, Constants.MAGIC);
    }

    /** The layout that the header tells, which can only be the one that we would make. */
    static SessionLayout check(MemorySegment memory) throws MalformedRecord {
        if (memory.byteSize() < SessionHeaderLayout.BYTES
                || memory.get(JAVA_INT, SessionHeaderLayout.MAGIC_OFFSET) != Constants.MAGIC) {
            throw new MalformedRecord("this is no session memory");
        }
        int protocol = memory.get(JAVA_INT, SessionHeaderLayout.PROTOCOL_OFFSET);
        if (protocol != Constants.PROTOCOL) {
            throw new MalformedRecord(
                    "session memory of protocol " + protocol + ", not " + Constants.PROTOCOL);
        }
        int devices = memory.get(JAVA_INT, SessionHeaderLayout.DEVICE_COUNT_OFFSET);
        if (devices < 0 || devices > SessionLayout.MOST_DEVICES) {
            throw new MalformedRecord("session memory with " + devices + " devices");
        }
        SessionLayout layout = SessionLayout.of(devices);
        if (memory.byteSize() != layout.bytes()) {
            throw new MalformedRecord(
                    "session memory of " + memory.byteSize() + " bytes, not " + layout.bytes());
        }
        return layout;
    }

    static DeviceSnapshot readDevice(MemorySegment memory, SessionLayout layout, int ordinal) {
        MemorySegment record = device(memory, layout, ordinal);
        byte[] name =
                record.asSlice(DeviceRecordLayout.NAME_OFFSET, DeviceRecordLayout.NAME_COUNT)
                        .toArray(JAVA_BYTE);
        int end = 0;
        while (end < name.length && name[end] != 0) {
            end++;
        }
        return new DeviceSnapshot(
                new String(name, 0, end, StandardCharsets.UTF_8),
                record.asSlice(DeviceRecordLayout.UUID_OFFSET, DeviceRecordLayout.UUID_COUNT)
                        .toArray(JAVA_BYTE),
                record.get(JAVA_LONG, DeviceRecordLayout.MEMORY_OFFSET),
                record.asSlice(
                                DeviceRecordLayout.ATTRIBUTES_OFFSET,
                                4L * DeviceRecordLayout.ATTRIBUTES_COUNT)
                        .toArray(JAVA_INT));
    }

    private static void write(MemorySegment record, DeviceSnapshot device) {
        text(record, DeviceRecordLayout.NAME_OFFSET, DeviceRecordLayout.NAME_COUNT, device.name());
        if (device.uuid().length != DeviceRecordLayout.UUID_COUNT
                || device.attributes().length > DeviceRecordLayout.ATTRIBUTES_COUNT) {
            throw new IllegalArgumentException(
                    "uuid of "
                            + device.uuid().length
                            + " bytes, "
                            + device.attributes().length
                            + " attributes");
        }
        MemorySegment.copy(device.uuid(), 0, record, JAVA_BYTE, DeviceRecordLayout.UUID_OFFSET, 16);
        record.set(JAVA_LONG, DeviceRecordLayout.MEMORY_OFFSET, device.memory());
        MemorySegment.copy(
                device.attributes(),
                0,
                record,
                JAVA_INT,
                DeviceRecordLayout.ATTRIBUTES_OFFSET,
                device.attributes().length);
    }

    private static MemorySegment device(MemorySegment memory, SessionLayout layout, int ordinal) {
        return memory.asSlice(
                layout.deviceRecords() + (long) ordinal * DeviceRecordLayout.BYTES,
                DeviceRecordLayout.BYTES,
                8);
    }

    /** Ends with 0, so that C can read it. */
    private static void text(MemorySegment memory, int offset, int capacity, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment.copy(
                bytes, 0, memory, JAVA_BYTE, offset, Math.min(bytes.length, capacity - 1));
    }

    private static void set(MemorySegment memory, int offset, int value) {
        memory.set(JAVA_INT, offset, value);
    }
}
