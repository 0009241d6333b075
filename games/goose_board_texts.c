/* The boards of the published rules as texts, so that a program needs no files. A test compares them with
 * files of games/boards. */
#include "games/goose_board.h"

const char goose_board_oca_63[] = "# Juego de la Oca, 63 squares\n"
                                  "length 63\n"
                                  "geese 1 5 9 14 18 23 27 32 36 41 45 50 54 59 63\n"
                                  "bridges 6 12\n"
                                  "dice 26 53\n"
                                  "inn 19 2\n"
                                  "prison 52 3\n"
                                  "well 31\n"
                                  "labyrinth 42 loses 2\n"
                                  "death 58 to 1\n";

const char goose_board_asesina_63[] = "# La oca asesina, 63 squares\n"
                                      "length 63\n"
                                      "geese 1 5 9 14 18 23 27 32 36 41 45 50 54 59 63\n"
                                      "bridges 6 12\n"
                                      "dice 26 53\n"
                                      "inn 19 1\n"
                                      "prison 52 3\n"
                                      "well 31 2\n"
                                      "labyrinth 42 to 30\n"
                                      "death 58 to 0\n";

const char goose_board_asesina_20[] = "# La oca asesina, 20 squares\n"
                                      "length 20\n"
                                      "geese 4 8 13 17 20\n"
                                      "bridges 3 7\n"
                                      "dice 9 15\n"
                                      "inn 6 1\n"
                                      "prison 12 3\n"
                                      "well 10 2\n"
                                      "labyrinth 14 to 11\n"
                                      "death 16 to 0\n";
