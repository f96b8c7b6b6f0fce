package facet.host.session;

import facet.device.Context;
import facet.device.TextureDescription;
import facet.host.ledger.Tally;

/** The textures and surfaces of a context. By the session's thread. */
final class ContextTextures {
    private static final int MOST_TEXTURES = 1 << 16;
    private static final int PLACES = 1 << 20;

    private final Context device;
    private final Handles<Long> textures;

    ContextTextures(Context device, Tally tally) {
        this.device = device;
        textures = new Handles<>("texture", MOST_TEXTURES, tally);
    }

    /** Its number is its place: the device has one texture in each. */
    void create(long handle, TextureDescription description) {
        int place = place(handle);
        textures.checkFree(place);
        if (device.fault().isEmpty()) {
            device.createTexture(handle, description);
        }
        textures.put(place, handle);
    }

    void destroy(long handle) {
        int place = place(handle);
        if (textures.get(place) != handle) {
            throw new ProtocolViolation("there is no texture 0x" + Long.toHexString(handle));
        }
        textures.remove(place);
        textures.ended();
        if (device.fault().isEmpty()) {
            device.destroyTexture(handle);
        }
    }

    private static int place(long handle) {
        return (int) handle & PLACES - 1;
    }

    void forgetAll() {
        textures.endAll();
    }
}
