package facet.node.control;

import facet.node.events.Events;
import facet.node.history.History;
import facet.node.metrics.Figures;
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
