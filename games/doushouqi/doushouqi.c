/* Dou Shou Qi (jungle) as a game, with rule sets base and liacs and their flags: its table and help texts.
 *
 * A slice is a class of materials that have the same values, with its colour flip (material.h).
 */
#include "games/registry.h"

#include "games/doushouqi/moves.h"

/* A slice may have several materials, each with a name of its own. */
static bool part_asked(const game_rules *rules, const game_request *request, const game_part *part) {
  uint16_t asked, own;
  if (!request->material) return true;
  return !dsq_material_read(request->material, &asked, NULL) && !dsq_material_read(part->name, &own, NULL) &&
         asked == own;
}

static const game_side sides[GAME_SIDES] = {{"w", "White"}, {"b", "Black"}};

const game doushouqi_game = {
    .name = "doushouqi",
    .other_names = "jungle dou-shou-qi",
    .title = "Dou Shou Qi (jungle), endgames of up to 6 pieces",
    .rule_sets =
        "base: the Spanish rules; no legal move is a draw, like infinite play (default)\n"
        "liacs: the rules of van Rijn & Vis: leopard=none, jump-block=path, stalemate=loss,\n"
        "  elephant-takes-rat and rat-shore=liacs together\n"
        "flags, alone or behind a rule set and commas (base,leopard=wide,clearings):\n"
        "wolf-over-dog: wolf 4, dog 3\n"
        "leopard=narrow|wide|none: it jumps along ranks (default), like lion and tiger, or not at all\n"
        "clearings: all six traps void the strength of animals that stand there\n"
        "lakes=water|plain|drink: only rats swim (default); land for all, without jumps; or all but\n"
        "  the cat may step in to drink\n"
        "drinkers=block: no animal jumps over a drinker (with lakes=drink)\n"
        "jump-block=path: a rat stops only the jumps that cross its square\n"
        "stalemate=loss: no legal move loses\n"
        "elephant-takes-rat: everywhere, not only in a trap\n"
        "rat-shore=liacs: rats take rats between water and land",
    .notation = "ranks 9 to 1, separated by /, digits for empty squares, then the side to move (w or b);\n"
                "r c w d p t l e: rat, cat, wolf, dog, leopard, tiger, lion, elephant, White's in upper\n"
                "case. A move is from and to: a3a4; a line of moves follows the word moves:\n"
                "\"l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w moves a3a4 g7g6\". Counters behind the\n"
                "side (- - 0 1), r for White, m for a rat, j for a leopard, a3-a4 and a3xa4 are read\n"
                "as well.",
    .notations = dsq_notations,
    .example = "7/7/7/1r5/7/7/2L4/7/7 w",
    .unit = "positions",
    .size_option = "pieces",
    .other_size = "material",
    .sides = sides,
    .start = "startpos",
    .size_help = "all materials with K pieces in all, K from 2 to 6; or one: --material Lr",
    .leaves = dsq_leaves,
    .open = dsq_open,
    .close = dsq_close,
    GAME_OUTCOMES,
    .rules_text = game_base_text,
    .slices = dsq_slices,
    .slice_name = dsq_slice_name,
    .positions = dsq_positions,
    .ended = dsq_ended,
    .expand = dsq_expand,
    .retract = dsq_retract,
    .bitboards = &dsq_bitboards,
    .play = &dsq_play_page,
    .proof = &dsq_proof,
    .left_out = dsq_left_out,
    .parse = dsq_parse,
    .print = dsq_print,
    .draw = dsq_draw,
    .turn = game_base_turn,
    .moves = dsq_moves,
    .position_ended = dsq_position_ended,
    .slice_of = dsq_slice_of,
    .locate = dsq_locate,
    .position_at = dsq_position_at,
    .numbers = dsq_numbers,
    .copies = dsq_copies,
    .needs = dsq_needs,
    .slice_named = dsq_slice_named,
    .slice_folder = dsq_slice_folder,
    .size_text = dsq_size_text,
    .part = dsq_part,
    .part_asked = part_asked,
    .position_slice = dsq_position_slice,
};
