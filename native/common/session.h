/* The one session of the process: what it shares with its host. Only files of common read this. */
#ifndef FACET_SESSION_H
#define FACET_SESSION_H

#include "client.h"

enum facet_session_state {
    FACET_SESSION_NONE,   /* cuInit was not called, or found no daemon */
    FACET_SESSION_OPEN,
    FACET_SESSION_GONE,   /* the daemon ended it */
    FACET_SESSION_FORKED, /* the parent's; a child has none */
};

enum { FACET_DEVICES_MOST = 64 };

struct facet_session {
    _Atomic int state;
    int connection;
    uint32_t number;
    uint32_t known; /* the highest number of a command that the daemon knows */
    struct facet_session_header *header; /* start of the session memory */
    struct facet_reply_slot *replies;
    struct facet_context_status *contexts;
    struct facet_device_record *devices;
    int visible;                   /* how many of them the program sees */
    int order[FACET_DEVICES_MOST]; /* which, by the program's numbers */
    struct facet_ring_control *commands;
    struct facet_ring_control *output;
    struct facet_ring_control *callbacks;
    struct facet_seats_header *seats; /* by device, each with one seat behind it; NULL: none are lent */
    int bell;                         /* the daemon's, with them */
    struct facet_ledger_header *ledger;
    uint32_t slots;      /* of the ledger; checked once, others may write to it */
    uint32_t slot;       /* the one of this session */
    uint64_t *claimed;   /* by device and ledger slot */
    uint64_t *samples;   /* likewise: time << 7 | percent */
    uint32_t *processes; /* by ledger slot; 0: nobody's */
    uint32_t *counts;    /* contexts by device and ledger slot */
};

extern struct facet_session facet_session;

/* connect.c: fills in everything but the state. Says why when it fails. */
CUresult facet_session_connect(struct facet_session *session);

/* reply.c: slots for calls that wait */

/* A slot, pending; -1 when the session is gone. */
int facet_reply_claim(void);
void facet_reply_release(int slot);
/* Waits for the answer and releases the slot. */
bool facet_reply_await(int slot, int32_t *result, uint64_t *payload);

#endif
