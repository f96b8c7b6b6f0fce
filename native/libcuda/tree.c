/* A treap: ordered by key, and by random priorities a heap; so its depth is logarithmic whatever the
 * order of the keys. */
#include "tree.h"

#include <stdbool.h>

static bool before(const struct facet_tree_node *node, uint64_t key, uint64_t second)
{
    return node->key != key ? node->key < key : node->second < second;
}

/* xorshift64 */
static uint64_t next_random(struct facet_tree *tree)
{
    uint64_t value = tree->random ? tree->random : UINT64_C(0x9E3779B97F4A7C15);
    value ^= value << 13;
    value ^= value >> 7;
    value ^= value << 17;
    return tree->random = value;
}

void facet_tree_insert(struct facet_tree *tree, struct facet_tree_node *node)
{
    node->priority = next_random(tree);
    struct facet_tree_node **link = &tree->root;
    while (*link != NULL && (*link)->priority >= node->priority)
        link = before(*link, node->key, node->second) ? &(*link)->right : &(*link)->left;
    /* What is below becomes two: what is before the node and what is not. */
    struct facet_tree_node *rest = *link, **left = &node->left, **right = &node->right;
    *link = node;
    while (rest != NULL) {
        if (before(rest, node->key, node->second)) {
            *left = rest;
            left = &rest->right;
            rest = rest->right;
        } else {
            *right = rest;
            right = &rest->left;
            rest = rest->left;
        }
    }
    *left = *right = NULL;
}

void facet_tree_remove(struct facet_tree *tree, struct facet_tree_node *node)
{
    struct facet_tree_node **link = &tree->root;
    while (*link != node)
        link = before(*link, node->key, node->second) ? &(*link)->right : &(*link)->left;
    struct facet_tree_node *left = node->left, *right = node->right;
    while (left != NULL && right != NULL) {
        if (left->priority > right->priority) {
            *link = left;
            link = &left->right;
            left = left->right;
        } else {
            *link = right;
            link = &right->left;
            right = right->left;
        }
    }
    *link = left != NULL ? left : right;
}

struct facet_tree_node *facet_tree_from(const struct facet_tree *tree, uint64_t key, uint64_t second)
{
    struct facet_tree_node *found = NULL;
    for (struct facet_tree_node *node = tree->root; node != NULL;) {
        if (before(node, key, second)) {
            node = node->right;
        } else {
            found = node;
            node = node->left;
        }
    }
    return found;
}

struct facet_tree_node *facet_tree_upto(const struct facet_tree *tree, uint64_t key, uint64_t second)
{
    struct facet_tree_node *found = NULL;
    for (struct facet_tree_node *node = tree->root; node != NULL;) {
        if (before(node, key, second) || (node->key == key && node->second == second)) {
            found = node;
            node = node->right;
        } else {
            node = node->left;
        }
    }
    return found;
}
