package facet.abi.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The C of a table of commands: their types and structs, and a function that sends each of them. It
 * ends with an error of the vocabulary.
 */
final class CommandsHeader {
    private CommandsHeader() {}

    private static final String SENDING =
            """
            #ifndef FACET_SENDING_H
            #define FACET_SENDING_H

            #include <stdbool.h>
            #include <stddef.h>
            #include <stdint.h>
            #include <string.h>

            #include "facet_records.h"

            /* What the functions that send commands are made of; client.h says more. bytes is the length of the
             * whole record, a multiple of 8. */
            void *facet_command_begin(uint32_t context, uint16_t type, uint32_t bytes, bool waits);
            void facet_command_post(void);
            /* False when the session is gone. The result is one of the command's vocabulary; 0 is success. */
            bool facet_command_wait(int32_t *result, uint64_t *payload);

            /* For commands that both sides count. NULL is the legacy stream. */
            struct facet_context;
            struct facet_stream;
            uint32_t facet_context_id(const struct facet_context *context);
            uint32_t facet_stream_id(const struct facet_stream *stream);
            void facet_command_post_in(struct facet_context *context, struct facet_stream *stream);

            /* A record longer than half the ring might never find room in one piece. */
            #define FACET_COMMAND_DATA_LIMIT (FACET_COMMAND_BYTES / 4)

            static inline uint32_t facet_command_length(size_t fixed, uint32_t data)
            {
                return ((uint32_t)fixed + data + 7) & ~UINT32_C(7);
            }

            #endif
            """;

    /** facet_sending.h: what is the same for all vocabularies. */
    static String sending() {
        return Text.c("no table").line(SENDING.stripTrailing()).toString();
    }

    static String text(CommandTable table) {
        Vocabulary vocabulary = table.vocabulary();
        String name = Names.upper(vocabulary.name());
        Text text = Text.c(table.source());
        text.line("#ifndef FACET_%s_COMMANDS_H", name);
        text.line("#define FACET_%s_COMMANDS_H", name).line();
        text.line("#include \"%s\"", vocabulary.header());
        text.line("#include \"facet_sending.h\"");
        text.line("#include \"%s\"", table.wireName()).line();
        text.line("enum {");
        for (Command command : table.commands()) {
            text.line("    FACET_COMMAND_%s = %d,", Names.upper(command.name()), command.type());
        }
        text.line("};");
        for (Command command : table.commands()) {
            text.line();
            RecordsHeader.struct(text, command.struct());
        }
        for (Command command : table.commands()) {
            if (command.hasData()) {
                begin(text, command);
            }
            send(text, vocabulary, command);
        }
        return text.line().line("#endif").toString();
    }

    /** Leaves the data to the caller, who writes it in place. */
    private static void begin(Text text, Command command) {
        String length = Names.snake(Command.lengthOf(command.data()));
        text.line();
        text.line("/* Where to write the data; then facet_command_%s. */", sending(command));
        text.line("/* NULL when the daemon is gone or the data is longer than the limit. */");
        text.line(
                "static inline void *facet_begin_%s(%s)",
                Names.snake(command.name()), parameters(command, List.of("uint32_t " + length)));
        text.line("{");
        text.line("    if (%s > FACET_COMMAND_DATA_LIMIT)", length);
        text.line("        return NULL;");
        fill(text, command, ", " + length, "NULL");
        text.line("    record->%s = %s;", length, length);
        text.line("    return record + 1;");
        text.line("}");
    }

    private static void send(Text text, Vocabulary vocabulary, Command command) {
        List<String> more = new ArrayList<>();
        if (command.hasData()) {
            more.add("const void *" + Names.snake(command.data()));
            more.add("uint32_t " + Names.snake(Command.lengthOf(command.data())));
        }
        for (Command.Value answer : command.answers()) {
            more.add(answer.type().c + " *" + answer.snake());
        }
        text.line();
        text.line(
                "static inline %s facet_%s_%s(%s)",
                vocabulary.errors(),
                verb(command),
                Names.snake(command.name()),
                parameters(command, more));
        text.line("{");
        if (command.hasData()) {
            sendData(text, vocabulary, command, command.data());
        } else {
            fill(text, command, ", 0", vocabulary.gone());
        }
        finish(text, vocabulary, command);
        text.line("}");
    }

    private static void sendData(Text text, Vocabulary vocabulary, Command command, String data) {
        String length = Names.snake(Command.lengthOf(data));
        String arguments =
                command.values().stream()
                        .map(value -> value.snake() + ", ")
                        .collect(Collectors.joining());
        text.line("    if (%s > FACET_COMMAND_DATA_LIMIT)", length);
        text.line("        return %s;", vocabulary.invalid());
        text.line(
                "    void *room = facet_begin_%s(context, %s%s);",
                Names.snake(command.name()), arguments, length);
        text.line("    if (room == NULL)");
        text.line("        return %s;", vocabulary.gone());
        text.line("    if (%s != 0)", length);
        text.line("        memcpy(room, %s, %s);", Names.snake(data), length);
    }

    private static void fill(Text text, Command command, String dataBytes, String otherwise) {
        String struct = command.struct().c();
        text.line(
                "    %s *record = facet_command_begin(%s, FACET_COMMAND_%s,"
                        + " facet_command_length(sizeof(%s)%s), %s);",
                struct,
                command.retires() ? "facet_context_id(context)" : "context",
                Names.upper(command.name()),
                struct,
                dataBytes,
                command.waits());
        text.line("    if (record == NULL)");
        text.line("        return %s;", otherwise);
        for (Field field : command.struct().fields()) {
            if (field.isUnused()) {
                text.line("    record->%s = 0;", Names.snake(field.name()));
            }
        }
        for (Command.Value value : command.values()) {
            text.line("    record->%s = %s;", value.snake(), argument(command, value));
        }
    }

    private static String argument(Command command, Command.Value value) {
        return isStreamOf(command, value) ? "facet_stream_id(stream)" : value.snake();
    }

    /** Of one that is counted, the stream is an object of the client. */
    private static boolean isStreamOf(Command command, Command.Value value) {
        return command.retires() && value.name().equals(Command.STREAM);
    }

    private static void finish(Text text, Vocabulary vocabulary, Command command) {
        if (!command.waits()) {
            text.line(
                    command.retires()
                            ? "    facet_command_post_in(context, stream);"
                            : "    facet_command_post();");
            text.line("    return (%s)0;", vocabulary.errors());
            return;
        }
        boolean answers = !command.answers().isEmpty();
        text.line("    int32_t result = 0;");
        if (answers) {
            text.line("    uint64_t payload[6] = {0};");
        }
        text.line(
                "    bool there = facet_command_wait(&result, %s);", answers ? "payload" : "NULL");
        int word = 0;
        for (Command.Value answer : command.answers()) {
            text.line("    *%s = (%s)payload[%d];", answer.snake(), answer.type().c, word);
            word++;
        }
        text.line("    return there ? (%s)result : %s;", vocabulary.errors(), vocabulary.gone());
    }

    private static String verb(Command command) {
        return command.waits() ? "wait" : "post";
    }

    private static String sending(Command command) {
        return command.retires() ? "post_in" : verb(command);
    }

    private static String parameters(Command command, List<String> more) {
        List<String> all = new ArrayList<>();
        all.add(command.retires() ? "struct facet_context *context" : "uint32_t context");
        for (Command.Value value : command.values()) {
            all.add(
                    isStreamOf(command, value)
                            ? "struct facet_stream *stream"
                            : value.type().c + " " + value.snake());
        }
        all.addAll(more);
        return String.join(", ", all);
    }
}
