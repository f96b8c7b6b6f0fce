package facet.doors.events;

import facet.log.Log;
import java.util.Locale;

/** What can happen. docs/api.md tells of each. */
public enum Kind {
    DAEMON_STARTED(Log.Level.INFO),
    DAEMON_STOPPING(Log.Level.INFO),
    SLICE_CREATED(Log.Level.INFO),
    SLICE_CHANGED(Log.Level.INFO),
    SLICE_DELETED(Log.Level.INFO),
    CONTAINER_STARTED(Log.Level.INFO),
    CONTAINER_ENDED(Log.Level.INFO),
    SESSION_OPENED(Log.Level.INFO),
    SESSION_ENDED(Log.Level.INFO),
    FAULT(Log.Level.WARNING),
    MEMORY_MOVED(Log.Level.INFO),
    NODE_CONNECTED(Log.Level.INFO),
    NODE_LOST(Log.Level.WARNING),
    NODE_EMPTY(Log.Level.INFO),
    REFUSED(Log.Level.WARNING),
    /** There were more of one slice than are kept. */
    LEFT_OUT(Log.Level.WARNING);

    private final Log.Level level;

    Kind(Log.Level level) {
        this.level = level;
    }

    Log.Level level() {
        return level;
    }

    /** As it is written: slice-created. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
