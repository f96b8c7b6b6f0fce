/* Command lines as runc and crun take them. */
#include "check.h"
#include "runtime/command.h"

static struct runtime_command parse(const char *line)
{
    static char words[512];
    static char *arguments[32];
    int count = 0;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " "))
        arguments[count++] = word;
    struct runtime_command command;
    runtime_command_parse(count, arguments, &command);
    return command;
}

static void check(const char *line, bool creates, const char *verb, const char *bundle)
{
    struct runtime_command command = parse(line);
    CHECK_EQUAL(creates, runtime_command_creates(&command));
    CHECK_TEXT(verb, command.verb == NULL ? "(none)" : command.verb);
    CHECK_TEXT(bundle, command.bundle);
}

int main(void)
{
    check("runc create --bundle /b id", true, "create", "/b");
    check("runc create --bundle=/b id", true, "create", "/b");
    check("runc run -b /b id", true, "run", "/b");
    check("runc run -b=/b id", true, "run", "/b");
    check("runc run -bundle /b id", true, "run", "/b");
    check("runc run id", true, "run", ".");
    check("runc --root run --log /l --log-format json --systemd-cgroup create --pid-file /p --bundle /b --no-pivot id", true, "create", "/b");
    check("crun --systemd-cgroup --root=create delete --force id", false, "delete", ".");
    check("runc --root create state id", false, "state", ".");
    check("runc run --detach --console-socket /s --preserve-fds 3 id --bundle /b", true, "run", "/b");
    check("runc exec --cwd /b id run", false, "exec", ".");
    check("runc exec id -- create --bundle /b", false, "exec", ".");
    check("runc --version", false, "(none)", ".");
    check("runc", false, "(none)", ".");
    check("runc create --bundle", true, "create", ".");
    check("runc - create", false, "-", ".");
    struct runtime_command command = parse("runc --log=/l.json --log-format=json create id");
    CHECK_TEXT("/l.json", command.log);
    CHECK(command.log_json);
    command = parse("runc --log /l create id");
    CHECK_TEXT("/l", command.log);
    CHECK(!command.log_json);
    return CHECK_RESULT();
}
