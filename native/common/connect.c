/* Getting in: Hello, Welcome, and the descriptors that come with messages. docs/session-protocol.md */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "patience.h"
#include "session.h"

enum { DESCRIPTORS = 4 };

struct message {
    ssize_t bytes;
    int descriptors[DESCRIPTORS];
    int count;
};

static void close_all(struct message *message)
{
    for (int i = 0; i < message->count; i++)
        if (message->descriptors[i] >= 0)
            close(message->descriptors[i]);
    message->count = 0;
}

/* One message, or bytes < 0; 0 when the other side has hung up. */
static void receive(int connection, struct facet_patience *patience, void *data, size_t capacity, struct message *message)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int) * DESCRIPTORS)];
    } control;
    struct iovec vector = {.iov_base = data, .iov_len = capacity};
    struct msghdr header = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    message->count = 0;
    if (!facet_patience_await(patience, connection)) {
        message->bytes = -1;
        return;
    }
    do
        message->bytes = recvmsg(connection, &header, MSG_CMSG_CLOEXEC);
    while (message->bytes < 0 && errno == EINTR);
    if (message->bytes < 0)
        return;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(&header); part != NULL; part = CMSG_NXTHDR(&header, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
            continue;
        size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count && message->count < DESCRIPTORS; i++)
            memcpy(&message->descriptors[message->count++], CMSG_DATA(part) + i * sizeof(int), sizeof(int));
    }
}

/* Maps a whole memfd; NULL when it is smaller than what must be in it. */
static void *map(int descriptor, size_t least, size_t *bytes)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0 || (size_t)status.st_size < least)
        return NULL;
    *bytes = (size_t)status.st_size;
    void *memory = mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* A ring with its data, or NULL when it does not lie in the memory. */
static struct facet_ring_control *ring(char *memory, size_t bytes, uint32_t offset)
{
    struct facet_ring_control *control = (struct facet_ring_control *)(void *)(memory + offset);
    if (offset % 8 != 0 || offset > bytes || bytes - offset < sizeof *control)
        return NULL;
    uint64_t data = control->bytes;
    if (data < 4096 || (data & (data - 1)) != 0 || data > bytes - offset - sizeof *control)
        return NULL;
    return control;
}

static void *part(char *memory, size_t bytes, uint32_t offset, uint64_t count, size_t size)
{
    return offset % 8 == 0 && offset <= bytes && count * size <= bytes - offset ? memory + offset : NULL;
}

static bool map_session(struct facet_session *session, int descriptor)
{
    size_t bytes;
    char *memory = map(descriptor, sizeof(struct facet_session_header), &bytes);
    if (memory == NULL)
        return false;
    struct facet_session_header *header = (void *)memory;
    if (header->bytes < bytes)
        bytes = header->bytes;
    session->header = header;
    session->replies = part(memory, bytes, header->reply_offset, FACET_REPLY_SLOTS, sizeof *session->replies);
    session->contexts = part(memory, bytes, header->context_offset, FACET_CONTEXTS, sizeof *session->contexts);
    session->devices = part(memory, bytes, header->device_offset, header->device_count, sizeof *session->devices);
    session->commands = ring(memory, bytes, header->command_offset);
    session->output = ring(memory, bytes, header->output_offset);
    session->callbacks = ring(memory, bytes, header->callback_offset);
    return header->magic == FACET_MAGIC && header->protocol == FACET_PROTOCOL && session->replies != NULL && session->contexts != NULL &&
           session->devices != NULL && session->commands != NULL && session->output != NULL && session->callbacks != NULL;
}

static bool map_ledger(struct facet_session *session, int descriptor, uint32_t slot)
{
    size_t bytes;
    struct facet_ledger_header *ledger = map(descriptor, sizeof *ledger, &bytes);
    if (ledger == NULL)
        return false;
    uint64_t slots = ledger->slots, devices = session->header->device_count;
    uint64_t rows = ledger->devices * slots;
    uint64_t needed = rows * (2 * sizeof(uint64_t) + sizeof(uint32_t)) + slots * sizeof(uint32_t);
    if (slot >= slots || ledger->devices < devices || ledger->devices > 4096 || needed > bytes - sizeof *ledger)
        return false;
    session->ledger = ledger;
    session->slots = (uint32_t)slots;
    session->slot = slot;
    session->claimed = (uint64_t *)(void *)(ledger + 1);
    session->samples = session->claimed + rows;
    session->processes = (uint32_t *)(void *)(session->samples + rows);
    session->counts = session->processes + slots;
    return true;
}

/* The time of the devices, where it is lent: one seat a device, and the bell. */
static bool map_seats(struct facet_session *session, struct message *message)
{
    if (message->count < 4)
        return facet_session_engine == FACET_ENGINE_FORWARDED || message->count == 2; /* without sharing there are none */
    size_t bytes, each = sizeof(struct facet_seats_header) + sizeof(struct facet_seat);
    session->seats = map(message->descriptors[2], session->header->device_count * each, &bytes);
    session->bell = message->descriptors[3];
    message->descriptors[3] = -1;
    return session->seats != NULL;
}

uint32_t facet_session_engine = FACET_ENGINE_FORWARDED;

/* Waits where the daemon has more callers than it answers at the moment. */
static bool call(int connection, const struct sockaddr_un *address, struct facet_patience *patience)
{
    int left;
    while ((left = facet_patience_left(patience)) > 0) {
        struct timeval most = {.tv_sec = left / 1000, .tv_usec = left % 1000 * 1000};
        if (setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most) != 0)
            return false;
        if (connect(connection, (const struct sockaddr *)address, sizeof *address) == 0)
            return setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &(struct timeval){0}, sizeof most) == 0;
        if (errno != EAGAIN && errno != EINTR)
            return false;
    }
    errno = ETIMEDOUT;
    return false;
}

/* A program may have closed its standard streams. What it or we write there is not to go to the daemon, or what is read come from it. */
static int behind_streams(int descriptor)
{
    if (descriptor < 0 || descriptor > STDERR_FILENO)
        return descriptor;
    int higher = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(descriptor);
    return higher;
}

const char *facet_session_variable;

static int dial(const char *path, struct facet_patience *patience)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    int connection = behind_streams(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    if (connection < 0)
        return -1;
    if (!call(connection, &address, patience)) {
        int reason = errno;
        close(connection);
        errno = reason;
        return -1;
    }
    return connection;
}

static bool greet(int connection)
{
    struct facet_hello hello = {.magic = FACET_MAGIC,
                                .protocol = FACET_PROTOCOL,
                                .pid = (uint32_t)getpid(),
                                .commands = FACET_CUDA_COMMANDS,
                                .digest = facet_cuda_digests[FACET_CUDA_COMMANDS],
                                .engine = facet_session_engine};
    snprintf((char *)hello.name, sizeof hello.name, "%s", program_invocation_short_name);
    return send(connection, &hello, sizeof hello, MSG_NOSIGNAL) == (ssize_t)sizeof hello;
}

/* Whether the daemon means the same by the commands that both know. */
static bool agrees(const struct facet_welcome *welcome)
{
    return welcome->protocol == FACET_PROTOCOL &&
           (welcome->commands > FACET_CUDA_COMMANDS || facet_cuda_digests[welcome->commands] == welcome->digest);
}

/* Whether the daemon has hung up before it answered: it had no room for us, or we were late. */
static bool hung_up(ssize_t bytes)
{
    return bytes == 0 || (bytes < 0 && (errno == ECONNRESET || errno == EPIPE));
}

static CUresult enter(struct facet_session *session, struct facet_patience *patience, bool *again)
{
    const char *path = patience->path;
    struct facet_welcome welcome;
    struct message message;
    receive(session->connection, patience, &welcome, sizeof welcome, &message);
    *again = hung_up(message.bytes);
    if (*again)
        return CUDA_ERROR_NO_DEVICE;
    if (message.bytes < (ssize_t)sizeof welcome || welcome.magic != FACET_MAGIC) {
        facet_say("%s does not answer like a Facet daemon%s; is it the socket of a slice?", path,
                  message.bytes < 0 && errno == ETIMEDOUT ? " within 10 seconds" : "");
        close_all(&message);
        return CUDA_ERROR_NO_DEVICE;
    }
    CUresult result = CUDA_SUCCESS;
    welcome.message[sizeof welcome.message - 1] = 0;
    if (welcome.status != 0) {
        facet_say("%s", (const char *)welcome.message);
        result = (CUresult)welcome.status;
    } else if (!agrees(&welcome) || message.count < 2 || !map_session(session, message.descriptors[0]) ||
               !map_ledger(session, message.descriptors[1], welcome.ledger_slot) || !map_seats(session, &message)) {
        facet_say("the daemon behind %s is of another version than this program's libraries; restart the container after an update of Facet", path);
        result = CUDA_ERROR_SYSTEM_DRIVER_MISMATCH;
    }
    session->number = welcome.session;
    session->known = welcome.commands;
    close_all(&message);
    return result;
}

static CUresult try(struct facet_session *session, struct facet_patience *patience, bool *again)
{
    *again = false;
    session->connection = dial(patience->path, patience);
    if (session->connection < 0) {
        facet_say("no GPU slice at %s (%s); start the daemon with `facet up`, or run the program with `facet run -- ...`", patience->path,
                  strerror(errno));
        return CUDA_ERROR_NO_DEVICE;
    }
    CUresult result = CUDA_ERROR_NO_DEVICE;
    if (greet(session->connection))
        result = enter(session, patience, again);
    else
        *again = hung_up(-1);
    if (result != CUDA_SUCCESS) {
        close(session->connection);
        session->connection = -1;
    }
    return result;
}

CUresult facet_session_connect(struct facet_session *session)
{
    /* The one or the other: where the vendor's driver is Facet's own, both are in a program. */
    const char *path = getenv(facet_session_variable == NULL ? "FACET_SOCKET" : facet_session_variable);
    if (path == NULL || *path == 0)
        path = "/run/facet/socket";
    struct facet_patience patience;
    facet_patience_begin(&patience, path);
    bool again;
    CUresult result = try(session, &patience, &again);
    while (again && facet_patience_pause(&patience))
        result = try(session, &patience, &again);
    if (again)
        facet_say("the daemon behind %s hung up each time for 10 seconds; its log says why", path);
    return result;
}

int facet_session_receive_memory(uint32_t context, bool *far)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct {
        int descriptor; /* + 1, that came for another context */
        bool far;
    } waiting[FACET_CONTEXTS];
    struct facet_patience patience;
    pthread_mutex_lock(&lock);
    facet_patience_begin(&patience, "this program's session");
    while (waiting[context].descriptor == 0) {
        uint32_t words[2] = {0}; /* whose it is, and whether it is far: a daemon from before that sends one word */
        struct message message;
        receive(facet_session.connection, &patience, words, sizeof words, &message);
        uint32_t owner = words[0];
        if (message.bytes < (ssize_t)sizeof owner || message.count != 1 || owner >= FACET_CONTEXTS) {
            close_all(&message);
            break;
        }
        if (waiting[owner].descriptor != 0)
            close(waiting[owner].descriptor - 1);
        waiting[owner].descriptor = message.descriptors[0] + 1;
        waiting[owner].far = words[1] != 0;
    }
    int descriptor = waiting[context].descriptor - 1;
    *far = waiting[context].far;
    waiting[context].descriptor = 0;
    pthread_mutex_unlock(&lock);
    return descriptor;
}
