package facet.ptx.rewrite;

import facet.ptx.Position;

/**
 * Why a kernel stays as it is and runs whole.
 *
 * @param position of what is in the way, in the text that was given
 * @param cause a sentence without its subject: {@code reads %gridid}
 */
public record Refusal(String kernel, Position position, String cause) {
    /** With the place, for people. */
    public String text() {
        return kernel
                + " is not rewritten: line "
                + position.line()
                + ", column "
                + position.column()
                + ": "
                + cause;
    }
}
