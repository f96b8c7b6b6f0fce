package facet.abi.generate;

import java.util.Locale;

/** One name in the spelling of each language: replySlot, ReplySlot, reply_slot, REPLY_SLOT. */
final class Names {
    private Names() {}

    static String snake(String name) {
        return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }

    static String upper(String name) {
        return snake(name).toUpperCase(Locale.ROOT);
    }

    static String lowerFirst(String name) {
        return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }

    static String upperFirst(String name) {
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }
}
