/* A balanced search tree of nodes that live in other records. Keys are pairs, compared in order. */
#ifndef FACET_TREE_H
#define FACET_TREE_H

#include <stddef.h>
#include <stdint.h>

struct facet_tree_node {
    struct facet_tree_node *left, *right;
    uint64_t key, second;
    uint64_t priority;
};

struct facet_tree {
    struct facet_tree_node *root;
    uint64_t random;
};

void facet_tree_insert(struct facet_tree *tree, struct facet_tree_node *node);
/* The node must be in the tree. */
void facet_tree_remove(struct facet_tree *tree, struct facet_tree_node *node);
/* The first node that is not before (key, second), or NULL. */
struct facet_tree_node *facet_tree_from(const struct facet_tree *tree, uint64_t key, uint64_t second);
/* The last node that is not after (key, second), or NULL. */
struct facet_tree_node *facet_tree_upto(const struct facet_tree *tree, uint64_t key, uint64_t second);

/* The record that a node is a member of. */
#define FACET_OWNER(node, type, member) ((type *)(void *)((char *)(node) - offsetof(type, member)))

#endif
