package facet.node.container;

import facet.slices.Settings;
import java.util.List;

/**
 * What a container wants of the node.
 *
 * @param from the names that said so, with their texts
 */
public record Wish(Settings settings, List<String> from) {
    public Wish {
        from = List.copyOf(from);
    }
}
