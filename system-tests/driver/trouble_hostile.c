/* A client that writes whatever it likes into the memory that it shares with the daemon:
 * trouble_hostile <sessions> <seed>. Prints how many sessions the daemon ended. Not a test by itself. */
/* role: helper */
/* libraries: none */
#include <linux/futex.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "facet_records.h"
#include "facet_cuda_wire.h"

static uint64_t seed;

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* Greets; the descriptor of the session memory, or -1. */
static int enter(int *connection)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct facet_hello hello = {.magic = FACET_MAGIC,
                                .protocol = FACET_PROTOCOL,
                                .commands = FACET_CUDA_COMMANDS,
                                .name = "hostile",
                                .digest = facet_cuda_digests[FACET_CUDA_COMMANDS]};
    struct facet_welcome welcome;
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct iovec vector = {.iov_base = &welcome, .iov_len = sizeof welcome};
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    int descriptors[2];
    snprintf(address.sun_path, sizeof address.sun_path, "%s", getenv("FACET_SOCKET"));
    *connection = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    if (connect(*connection, (struct sockaddr *)&address, sizeof address) != 0 || send(*connection, &hello, sizeof hello, MSG_NOSIGNAL) < 0 ||
        recvmsg(*connection, &message, 0) <= 0 || welcome.status != 0 || CMSG_FIRSTHDR(&message) == NULL)
        return -1;
    memcpy(descriptors, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptors);
    close(descriptors[1]);
    return descriptors[0];
}

static void wake(uint32_t *word)
{
    *word = 0;
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* One record that is nearly right, or not at all. */
static void put_record(unsigned char *data, uint64_t *head, uint64_t sequence)
{
    unsigned char record[256];
    uint32_t length = 24 + 8 * (uint32_t)(draw() % 12);
    for (uint32_t i = 0; i < length; i++)
        record[i] = draw() % 4 == 0 ? (unsigned char)draw() : 0;
    struct facet_record_header header = {
        .length = draw() % 16 == 0 ? (uint32_t)draw() : length,
        .type = (uint16_t)(draw() % 56),
        .slot = (uint16_t)(draw() % 3 == 0 ? draw() % 70 : 0),
        .sequence = draw() % 16 == 0 ? draw() : sequence,
        .context = (uint32_t)(draw() % 4 == 0 ? draw() % 70 : 0),
    };
    memcpy(record, &header, sizeof header);
    uint64_t place = *head & (FACET_COMMAND_BYTES - 1);
    if (place + length <= FACET_COMMAND_BYTES)
        memcpy(data + place, record, length);
    *head += length;
}

static void misbehave(unsigned char *memory, size_t bytes)
{
    struct facet_session_header header;
    memcpy(&header, memory, sizeof header);
    struct facet_ring_control *ring = (struct facet_ring_control *)(void *)(memory + header.command_offset);
    unsigned char *data = (unsigned char *)(ring + 1);
    uint64_t head = 0;
    for (uint64_t i = 1; i < 1 + draw() % 8; i++)
        put_record(data, &head, i);
    for (uint64_t i = 0; i < draw() % 64; i++)
        memory[draw() % (draw() % 2 == 0 ? bytes : 8192)] = (unsigned char)draw();
    __atomic_store_n(&ring->head, draw() % 4 == 0 ? draw() : head, __ATOMIC_SEQ_CST);
    wake(&ring->reader_sleeps);
}

int main(int argc, char **argv)
{
    long sessions = argc > 1 ? atol(argv[1]) : 100, ended = 0;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : 1;
    for (long i = 0; i < sessions; i++) {
        int connection, descriptor = enter(&connection);
        struct stat status;
        if (descriptor < 0 || fstat(descriptor, &status) != 0) {
            printf("session %ld did not begin\n", i);
            return 1;
        }
        void *memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        close(descriptor);
        misbehave(memory, (size_t)status.st_size);
        /* What it wrote may by chance be nothing wrong: then it waits a moment and goes. */
        struct pollfd end = {.fd = connection, .events = POLLIN};
        char byte;
        ended += poll(&end, 1, 20) == 1 && recv(connection, &byte, 1, 0) <= 0;
        munmap(memory, (size_t)status.st_size);
        close(connection);
    }
    printf("%ld of %ld\n", ended, sessions);
    return 0;
}
