package facet.node.container;

import facet.doors.control.ControlException;
import facet.doors.control.Operations;
import facet.slices.Setting;
import facet.slices.Settings;
import facet.slices.Size;
import facet.slices.Slice;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Which slice a container gets: one of its own, a kept one, or the one that it had. */
final class SliceGrants {
    /** As docker and podman show ids of 64 digits. */
    private static final int SHORT_ID = 12;

    private final ContainerSlices slices;

    SliceGrants(ContainerSlices slices) {
        this.slices = slices;
    }

    /** A name for the slice of a container of which nothing but its id is known. */
    static String nameOf(String id) {
        return id.matches("[0-9a-f]{64}") ? id.substring(0, SHORT_ID) : id;
    }

    Operations.Made make(String called, Settings settings) throws ControlException {
        String name = Slice.nameFrom(called);
        return slices.openMounted(settings.slice(name, slices.wholeOfContainer()));
    }

    /** With the devices that it was given, so that it has the same ones from the next daemon. */
    Settings granted(Settings settings, Slice slice) {
        boolean elsewhere = slice.devices().isElsewhere();
        if (slices.devices() <= 1 && !elsewhere || !slice.devices().isChosen()) {
            return settings;
        }
        Map<Setting, String> values = new HashMap<>(settings.values());
        values.remove(Setting.DEVICES);
        values.put(Setting.DEVICE, slice.devices().text());
        if (elsewhere) {
            values.remove(Setting.MODEL);
            values.put(Setting.NODE, slice.devices().site().node());
        }
        return new Settings(values);
    }

    Operations.Made join(String name, Optional<Wish> wish) throws ControlException, IOException {
        if (wish.isPresent()) {
            throw new ControlException(
                    "it joins slice '"
                            + name
                            + "', which has its own memory and compute; remove "
                            + String.join(", ", wish.get().from()));
        }
        return slices.mount(name)
                .orElseThrow(() ->
                        new ControlException(
                                "there is no slice '"
                                        + name
                                        + "'; 'facet slice create' makes one"));
    }

    /** After a restart of the daemon. */
    Operations.Made again(ContainerRecord record) throws IOException, ControlException {
        if (record.joined()) {
            return slices.mount(record.slice())
                    .orElseThrow(() -> new IOException("there is no such slice any more"));
        }
        return slices.reopen(record.settings().slice(record.slice(), slices.wholeOfContainer()));
    }

    static String described(Slice slice, Optional<Wish> wish) {
        return "has slice "
                + slice.name()
                + ", "
                + Size.exact(slice.memory())
                + ", "
                + slice.terms().policy().text()
                + wish.map(one -> ", for " + String.join(" ", one.from())).orElse("");
    }
}
