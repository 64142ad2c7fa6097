// The plan of assembly: which joints are closed in which order.
//
// A cluster of links touches the rest by its top link's joint and by one bottom link that carries
// everything outside below it. Two ways of closing a joint keep it so:
//
//     rake       the lower cluster has nothing below it
//     compress   the upper cluster carries nothing but the lower one
//
// In every round a set of such joints is closed that have no cluster in common, found from the
// leaves upwards. Along a chain that is every other joint, so that rounds are logarithmic in its
// length; k branches at one link take k rounds.
#include "dynamics/assembly.h"

typedef struct Clusters {
    TactAssembly *assembly;
    int          *node;     // node of the cluster that was formed around link l, -1: gone (links)
    int          *children; // clusters below the cluster of link l                        (links)
    int          *cluster;  // link around which the cluster of link l was formed          (links)
    bool         *busy;     // already in a join of this round                             (links)
} Clusters;

static void new_node(TactAssembly *assembly, TactAssemblyNode node)
{
    TactAssemblyNode *place = &assembly->nodes[assembly->node_count];
    *place = node;
    assembly->order[assembly->node_count - assembly->dynamics->link_count] = assembly->node_count;
    if (node.upper >= 0) {
        assembly->nodes[node.upper].parent = assembly->node_count;
    }
    assembly->nodes[node.lower].parent = assembly->node_count;
    assembly->node_count++;
}

/// A cluster is named by its top link.
static void close_joint(Clusters *c, int above, int below, int level)
{
    TactAssembly     *assembly = c->assembly;
    TactAssemblyNode *upper = &assembly->nodes[c->node[above]];
    TactAssemblyNode *lower = &assembly->nodes[c->node[below]];
    c->children[above] += c->children[below] - 1;
    bool raked = c->children[below] == 0;
    new_node(assembly, (TactAssemblyNode){
                           .upper = c->node[above],
                           .lower = c->node[below],
                           .attach = assembly->dynamics->links[below].parent,
                           .joint = below,
                           .parent = -1,
                           .level = level,
                           .top = above,
                           .bottom = c->children[above] == 0 ? -1
                                     : raked                 ? upper->bottom
                                                             : lower->bottom,
                       });
    c->node[above] = assembly->node_count - 1;
    c->node[below] = -1;
    c->busy[above] = c->busy[below] = true;
}

/// Which cluster a link is in: clusters are merged upwards, so the way to its name is followed and
/// shortened.
static int find_cluster(Clusters *c, int link)
{
    int name = link;
    while (c->cluster[name] != name) {
        name = c->cluster[name];
    }
    while (c->cluster[link] != name) {
        int next = c->cluster[link];
        c->cluster[link] = name;
        link = next;
    }
    return name;
}

/// Closes what can be closed in one round; returns how many joints that were.
static int close_round(Clusters *c, int level)
{
    const TactDynamics *d = c->assembly->dynamics;
    int                 closed = 0;
    for (int l = d->link_count - 1; l > 0; l--) {
        c->busy[l] = false;
    }
    for (int below = d->link_count - 1; below > 0; below--) {
        if (c->node[below] < 0 || d->links[below].parent == 0 || c->busy[below]) {
            continue;
        }
        int above = find_cluster(c, d->links[below].parent);
        if (!c->busy[above] && (c->children[below] == 0 || c->children[above] == 1)) {
            close_joint(c, above, below, level);
            c->cluster[below] = above;
            closed++;
        }
    }
    return closed;
}

void tact_assembly_plan(TactAssembly *assembly)
{
    const TactDynamics *d = assembly->dynamics;
    int                 links = d->link_count;
    int                *work = assembly->plan_work;
    Clusters            c = {assembly, work, work + links, work + 2 * links, assembly->wanted};
    for (int l = 0; l < links; l++) {
        assembly->nodes[l] = (TactAssemblyNode){
            .upper = -1, .lower = -1, .attach = -1, .joint = -1, .parent = -1, .top = l};
        c.node[l] = c.cluster[l] = l;
        c.children[l] = 0;
    }
    for (int l = links - 1; l > 0; l--) {
        c.children[d->links[l].parent]++;
    }
    for (int l = 1; l < links; l++) {
        assembly->nodes[l].bottom = c.children[l] > 0 ? l : -1;
    }
    assembly->node_count = links;
    int level = 0;
    while (close_round(&c, level) > 0) {
        level++;
    }
    // What is left are whole trees: their joints to the world.
    for (int l = 1; l < links; l++) {
        if (d->links[l].parent == 0) {
            new_node(assembly, (TactAssemblyNode){.upper = -1,
                                                  .lower = c.node[l],
                                                  .attach = -1,
                                                  .joint = l,
                                                  .parent = -1,
                                                  .level = level,
                                                  .top = -1,
                                                  .bottom = -1});
        }
    }
    assembly->level_count = level + 1;
    int start = 0;
    for (int i = 0; i <= level; i++) {
        assembly->level_start[i] = start;
        while (start < assembly->node_count - links &&
               assembly->nodes[assembly->order[start]].level == i) {
            start++;
        }
    }
    assembly->level_start[level + 1] = start;
    for (int l = 0; l < links; l++) {
        assembly->wanted[l] = false;
    }
}
