package facet.doors.control;

import facet.doors.events.Events;
import facet.doors.history.History;
import facet.doors.metrics.Figures;
import java.util.Map;

/** What there is for those who watch. */
public interface Watching {
    /** Everything of this moment, with what happened in the last second. */
    Map<String, Object> live();

    History history();

    Events events();

    /** For those who count. */
    Figures figures();
}
