package facet.cli;

/**
 * A field of iteration counts.
 *
 * @param counts row by row; {@code limit} means that the point is in the set
 */
record Picture(int width, int height, int limit, int[] counts) {
    private static final String SHADES = " .:-=+*#%@";
    private static final String RESET = "\u001b[0m";

    /** As lines of text. With half blocks a character shows two rows, without them it shows one. */
    String draw(Terminal terminal) {
        StringBuilder text = new StringBuilder();
        boolean halves = terminal.unicode() && terminal.colours() != Terminal.Colours.NONE;
        for (int row = 0; row + 1 < height; row += 2) {
            for (int column = 0; column < width; column++) {
                int upper = at(column, row);
                int lower = at(column, row + 1);
                if (halves) {
                    paint(text, 38, upper, terminal.colours());
                    paint(text, 48, lower, terminal.colours());
                    text.append('\u2580');
                } else {
                    text.append(shade(Math.min(upper, lower)));
                }
            }
            text.append(halves ? RESET : "").append('\n');
        }
        return text.toString();
    }

    int at(int column, int row) {
        return counts[row * width + column];
    }

    /**
     * A smaller picture, {@code scale} by {@code scale} points to one. It is in the set where most
     * of them are, and has the mean of the others where not.
     */
    Picture reduce(int scale) {
        int[] means = new int[(width / scale) * (height / scale)];
        for (int i = 0; i < means.length; i++) {
            int left = i % (width / scale) * scale;
            int top = i / (width / scale) * scale;
            int outside = 0;
            int sum = 0;
            for (int row = top; row < top + scale; row++) {
                for (int column = left; column < left + scale; column++) {
                    int count = at(column, row);
                    outside += count < limit ? 1 : 0;
                    sum += count < limit ? count : 0;
                }
            }
            means[i] = 2 * outside < scale * scale ? limit : sum / outside;
        }
        return new Picture(width / scale, height / scale, limit, means);
    }

    /** Sums with weights, so that a changed pixel changes it. */
    long checksum() {
        long sum = 0;
        for (int i = 0; i < counts.length; i++) {
            sum += counts[i] * (1L + i % 251);
        }
        return sum;
    }

    /** Between 0 and 1; few iterations are spread out, many pressed together. */
    private double brightness(int count) {
        return count >= limit ? 0 : Math.sqrt(Math.min(1, count / 64.0));
    }

    private char shade(int count) {
        int last = SHADES.length() - 1;
        return count >= limit ? '@' : SHADES.charAt((int) (brightness(count) * (last - 1)));
    }

    /** Sets the colour of the upper half (layer 38) or of the lower one (48). */
    private void paint(StringBuilder text, int layer, int count, Terminal.Colours colours) {
        double t = brightness(count);
        int red = channel(t, 0.75);
        int green = channel(t, 0.55);
        int blue = channel(t, 0.30);
        if (count >= limit) {
            red = 0;
            green = 0;
            blue = 0;
        }
        text.append("\u001b[").append(layer);
        if (colours == Terminal.Colours.TRUE) {
            text.append(";2;").append(red).append(';').append(green).append(';').append(blue);
        } else {
            // The 6 × 6 × 6 cube of the 256 colours starts at 16.
            text.append(";5;").append(16 + 36 * (red / 43) + 6 * (green / 43) + blue / 43);
        }
        text.append('m');
    }

    /** A hump around the centre: blue comes first, then green, then red. */
    private static int channel(double t, double centre) {
        double distance = (t - centre) / 0.35;
        return (int) (255 * Math.exp(-distance * distance) * Math.min(1, t * 6));
    }
}
