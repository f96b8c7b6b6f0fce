package facet.abi.generate;

import java.util.ArrayList;
import java.util.List;

/** A record, laid out as a C compiler does. */
record Struct(String name, List<Field> fields, int bytes, int alignment) {

    Struct {
        fields = List.copyOf(fields);
    }

    String c() {
        return "struct facet_" + Names.snake(name);
    }

    static final class Builder {
        private final String name;
        private final List<Field> fields = new ArrayList<>();
        private int end;
        private int alignment = 1;

        Builder(String name) {
            this.name = name;
        }

        void add(String field, WireType type, int count, String comment) {
            add(field, type, count, field, comment);
        }

        void add(String field, Struct type, int count, String comment) {
            add(field, type, count, field, comment);
        }

        /**
         * @param was see {@link Field}
         */
        void add(String field, WireType type, int count, String was, String comment) {
            place(field, type.c, type.bytes, type.bytes, count, was, comment);
        }

        void add(String field, Struct type, int count, String was, String comment) {
            place(field, type.c(), type.bytes(), type.alignment(), count, was, comment);
        }

        private void place(
                String field,
                String type,
                int bytes,
                int align,
                int count,
                String was,
                String comment) {
            int offset = roundUp(end, align);
            fields.add(new Field(field, type, offset, count, was, comment));
            end = offset + bytes * Math.max(count, 1);
            alignment = Math.max(alignment, align);
        }

        Struct build() {
            return new Struct(name, fields, roundUp(end, alignment), alignment);
        }
    }

    private static int roundUp(int value, int multiple) {
        return (value + multiple - 1) / multiple * multiple;
    }
}
