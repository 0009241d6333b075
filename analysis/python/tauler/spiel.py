"""Games as environments for programs that learn, with the methods of states in OpenSpiel.

    >>> import tauler
    >>> from tauler import spiel
    >>> with tauler.open("tables") as db:
    ...     game = spiel.Game(db.select("auale", "awari"), "0-0-1-0-2-1-1-0-0-3-0-1-20-19-S")
    ...     state = game.new_initial_state()
    ...     print(state.current_player(), [state.action_to_string(action) for action in state.legal_actions()])
    ...     state.apply_action(4)
    ...     print(state, state.current_player(), state.is_terminal(), state.value(0))
    0 ['C', 'E', 'F']
    0-0-1-0-0-2-0-0-0-3-0-1-22-19-N 1 False 10.0

The rules come from the library, so no table is needed; where there are tables, ``value`` gives what best play gets.
Nothing of OpenSpiel is needed or used.
"""
import copy
from typing import Any, List, Optional, Set, Tuple

from ._answers import Answer, Bounds, Move, Roll
from ._database import Tables
from ._errors import BadUsage, TableMissing

CHANCE = -1  # current_player() where a roll is next
TERMINAL = -4  # current_player() when the game is over
SQUARES = 63  # of Dou Shou Qi


class Game:
    """A game from a position. Players count from 0: by seats in games of dice, else the side to move in ``start`` is 0. A game
    ends after ``most_plies`` at the latest, as endless play does: nobody gains more. Actions are pits of aualé, square × 63 +
    square of Dou Shou Qi, else numbers of the legal moves in the order of their names, at most ``most_actions``."""

    def __init__(self, tables: Tables, start: str, most_plies: int = 1000, most_actions: int = 1000) -> None:
        self.tables, self.most_plies = tables, most_plies
        first = self.look(start)
        if any(quantity.name == "score-3" for quantity in first.quantities):
            raise BadUsage(f"{first.game} with more than two seats shares scores that answers do not tell apart")
        self.name, self.start, self.turn = first.game, first.position, first.turn
        self.players = sum(quantity.name.startswith(("win-", "score-")) for quantity in first.quantities) or 2
        self.actions = {"auale": 6, "doushouqi": SQUARES * SQUARES}.get(self.name, most_actions)

    def look(self, position: str) -> Answer:
        """All about a position, by the rules alone where no table has it."""
        try:
            return self.tables.probe(position)
        except TableMissing as missing:
            if missing.answer is None:
                raise
            return missing.answer

    def num_players(self) -> int:
        return self.players

    def num_distinct_actions(self) -> int:
        return self.actions

    def max_game_length(self) -> int:
        return self.most_plies

    def observation_tensor_shape(self) -> List[int]:
        return [len(self.new_initial_state().observation_tensor())]

    def new_initial_state(self) -> "State":
        return State(self)

    def number(self, name: str, among: List[str]) -> int:
        """The action of a legal move."""
        if self.name == "auale":
            return "abcdef".index(name.lower())
        if self.name == "doushouqi":
            start, end = ("abcdefg".index(square[0]) + 7 * (int(square[1]) - 1) for square in (name[:2], name[2:]))
            return SQUARES * start + end
        if len(among) > self.actions:
            raise BadUsage(f"a position with {len(among)} moves; ask for more actions with most_actions")
        return among.index(name)


class State:
    """A position in play."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._answer = game.look(game.start)
        self._roll: Optional[Roll] = None  # the one that a seat has to answer
        self._history: List[int] = []
        self._line: List[str] = [game.start]  # the position after the last converting move, and the moves since
        self._met: Set[str] = {self._answer.position}
        self._returns: Optional[List[float]] = None
        self._end_if_over()

    def __str__(self) -> str:
        return self._answer.position + (f" roll {self._roll.name}" if self._roll else "")

    def clone(self) -> "State":
        other = copy.copy(self)
        other._history, other._line, other._met = self._history[:], self._line[:], set(self._met)
        return other

    def history(self) -> List[int]:
        return self._history[:]

    # --- whose turn, and what there is to do ---

    def is_terminal(self) -> bool:
        return self._returns is not None

    def is_chance_node(self) -> bool:
        return self._returns is None and self._answer.dice and self._roll is None

    def mover(self) -> int:
        """The player to roll or to move."""
        if self._answer.dice:
            return int(self._answer.turn) - 1
        return int(self._answer.turn != self._game.turn)

    def current_player(self) -> int:
        if self._returns is not None:
            return TERMINAL
        return CHANCE if self.is_chance_node() else self.mover()

    def chance_outcomes(self) -> List[Tuple[int, float]]:
        """The actions of a chance node and their chances."""
        if not self.is_chance_node():
            raise BadUsage("nothing is rolled here")
        total = sum(roll.weight for roll in self._answer.rolls)
        return [(i, roll.weight / total) for i, roll in enumerate(self._answer.rolls)]

    def _moves(self) -> List[Tuple[int, Move]]:
        """Legal moves by action."""
        moves = self._roll.moves if self._roll else self._answer.moves
        names = sorted(move.name for move in moves)
        return sorted(((self._game.number(move.name, names), move) for move in moves), key=lambda pair: pair[0])

    def legal_actions(self, player: Optional[int] = None) -> List[int]:
        if self.is_chance_node() and player in (None, CHANCE):
            return list(range(len(self._answer.rolls)))
        if self.is_terminal() or player not in (None, self.current_player()):
            return []
        return [action for action, _ in self._moves()]

    def legal_actions_mask(self) -> List[int]:
        legal = set(self.legal_actions())
        return [int(action in legal) for action in range(self._game.actions)]

    def _move(self, action: int) -> Move:
        found = [move for number, move in self._moves() if number == action]
        if self.is_terminal() or not found:
            raise BadUsage(f"{action} is no legal action of {self}")
        return found[0]

    def action_to_string(self, *player_and_action: int) -> str:
        """Of (player, action) or of the action alone."""
        action = player_and_action[-1]
        if not self.is_chance_node():
            return self._move(action).name
        if action not in range(len(self._answer.rolls)):
            raise BadUsage(f"there is no roll {action}")
        return self._answer.rolls[action].name

    # --- play ---

    def apply_action(self, action: int) -> None:
        if self.is_chance_node():
            self.action_to_string(action)
            roll = self._answer.rolls[action]
            if len(roll.moves) > 1:
                self._roll = roll
            else:
                self._play(roll.moves[0])  # nobody chooses
        else:
            self._play(self._move(action))
        self._history.append(action)
        if len(self._history) >= self._game.most_plies and self._returns is None:
            self._end(None)

    def _play(self, move: Move) -> None:
        if move.over or move.position is None:
            self._end(move.bounds)
            return
        self._roll = None
        self._answer = self._game.look(move.position)
        if move.converts:
            self._line, self._met = [move.position], set()
        else:
            self._line.append(move.name)
        if self._answer.history_counts and move.position in self._met:
            self._answer = self._game.look(f"{self._line[0]} moves {' '.join(self._line[1:])}")
        self._met.add(move.position)
        self._end_if_over()

    def _end_if_over(self) -> None:
        history = self._answer.history
        if history is not None and history.over:
            self._end(history.bounds)
        elif self._answer.ended or not (self._answer.moves or self._answer.rolls):
            self._end(self._answer.bounds)

    def _end(self, bounds: Optional[Bounds]) -> None:
        """The game is over, with that value for the mover."""
        self._returns = self._for_all(bounds)

    def _for_all(self, bounds: Optional[Bounds]) -> List[float]:
        own = (bounds.lower + bounds.upper) / 2 if bounds else 0.0
        players, mover = self._game.players, self.mover()
        if not self._answer.dice:
            net = own + self._answer.lead
            return [net if player == mover else 0.0 - net for player in (0, 1)]
        known = [quantity.lower for quantity in self._answer.quantities[:players] if quantity.lower is not None]
        if self._answer.ended and len(known) == players:
            return known
        other = 1 - own if players == 2 and bounds else 0.0
        return [own if player == mover else other for player in range(players)]

    def returns(self) -> List[float]:
        """What each player has: seeds more than the other, 1, 0 or −1, or the share in the win of a game of dice; 0 before
        the end."""
        return self._returns[:] if self._returns is not None else [0.0] * self._game.players

    def value(self, player: int) -> Optional[float]:
        """What best play gets for the player, by the tables; None where they do not tell. Before a roll is answered, that
        is before the roll. Where the tables have bounds, the middle."""
        if self._returns is not None:
            return self._returns[player]
        return self._for_all(self._answer.bounds)[player] if self._answer.bounds and self._game.players <= 2 else None

    def observation_tensor(self, player: Optional[int] = None) -> List[float]:
        """The player to move, the seeds that player 0 has captured beyond the other, the roll to answer (from 1; 0: none), and
        the board's numbers as ``Tables.board`` gives them, seen by the player to move. All players see the same."""
        del player
        roll = self._answer.rolls.index(self._roll) + 1 if self._roll else 0
        lead = self._answer.lead * (1 if self.mover() == 0 else -1)
        return [float(number) for number in (self.mover(), lead, roll, *self._game.tables.board(self._answer.position))]

    def observation_string(self, player: Optional[int] = None) -> str:
        del player
        return str(self)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, State) and (str(self), self._history) == (str(other), other._history)

    __hash__ = None  # type: ignore[assignment]
