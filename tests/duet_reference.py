"""A second implementation of DUET §3 to §7, small and slow, on other data structures: the oracle of test_perft.py.

It shares no code with brushpass: seats are letters, the key two strings, tokens words in a list, cards found or
marked are rows in dictionaries and sets, actions are tuples.
"""

from __future__ import annotations

OTHER = {"A": "B", "B": "A"}


class Refused(Exception):
    """An action the rules refuse; its argument is the code."""


class Table:
    def __init__(self, key_a, key_b, turns=9, mistakes=9, first=None, order="alternate", mode="reject"):
        self.key = {"A": key_a, "B": key_b}
        self.bank = ["check"] * (turns - mistakes) + ["bystander"] * mistakes
        self.order, self.mode = order, mode
        self.phase = "CLUE_ANY" if first is None else "CLUE"
        self.giver = first
        self.givers = []
        self.first = first
        self.found = {}
        self.arrows = set()
        self.hits = 0
        self.checks = {"A": 0, "B": 0}
        self.discarded = 0
        self.on_words = 0
        self.yielded = []
        self.reason = None
        self.sudden = False

    def copy(self):
        twin = object.__new__(Table)
        for name, value in vars(self).items():
            vars(twin)[name] = value.copy() if isinstance(value, (list, dict, set)) else value
        return twin

    # what is known

    def complete(self, seat):
        return all(cell in self.found for cell in range(25) if self.key[seat][cell] == "G")

    def dead(self, cell):
        return cell in self.found or {(cell, "A"), (cell, "B")} <= self.arrows

    def won(self):
        return len(self.found) == 15

    def score(self):
        return 3 * len(self.bank) + sum(self.checks.values()) - (1 if self.sudden else 0)

    # what may be done

    def play(self, seat, action):
        """Apply an action or raise Refused, with nothing changed."""
        if self.phase in ("WON", "LOST"):
            raise Refused("E_GAME_OVER")
        getattr(self, action[0])(seat, *action[1:])

    def clue(self, seat, number, *, legal=True):
        self.demand("E_PHASE", self.phase in ("CLUE_ANY", "CLUE"))
        self.demand("E_ACTOR", self.phase == "CLUE_ANY" or self.giver == seat)
        self.demand("E_SIDE_COMPLETE", not self.complete(seat))
        self.demand("E_CLUE_NUMBER", number in range(10) and isinstance(number, int) and not isinstance(number, bool))
        self.demand("E_CLUE_ILLEGAL", legal or self.mode == "penalty")
        self.first = self.first or seat
        self.giver, self.hits, self.phase = seat, 0, "GUESS"
        self.givers.append(seat)
        if not legal:
            self.bank.remove("check" if "check" in self.bank else "bystander")
            self.discarded += 1
            if not self.bank:
                self.sudden_death()

    def guess(self, seat, cell):
        judge = OTHER[seat]
        self.demand("E_PHASE", self.phase in ("GUESS", "SUDDEN"))
        self.demand("E_ACTOR", self.phase == "SUDDEN" or self.giver == judge)
        self.demand("E_NOTHING_TO_GUESS", self.phase == "GUESS" or not self.complete(judge))
        self.demand("E_CELL", cell in range(25))
        self.demand("E_COVERED", not self.dead(cell))
        self.demand("E_ALREADY_MARKED", (cell, seat) not in self.arrows)
        color = self.key[judge][cell]
        if color == "B":
            self.lose("assassin")
        elif color == "T" and self.phase == "SUDDEN":
            self.lose("sudden_death")
        elif color == "T":
            self.mistake(seat, cell)
        else:
            self.found[cell] = seat
            self.yielded = []
            if self.phase == "SUDDEN":
                if self.won():
                    self.phase, self.giver = "WON", None
                return
            self.hits += 1
            if self.won() or self.complete(judge):
                self.pay_turn(seat)

    def stop(self, seat):
        self.demand("E_PHASE", self.phase == "GUESS")
        self.demand("E_ACTOR", self.giver != seat)
        self.demand("E_MUST_GUESS", self.hits > 0)
        self.pay_turn(seat)

    def yield_(self, seat):
        self.demand("E_PHASE", self.phase == "SUDDEN")
        bound = self.yielded[0] if len(self.yielded) == 2 else None
        self.demand("E_MUST_GUESS", not self.complete("A") and not self.complete("B") and bound != seat)
        if seat not in self.yielded:
            self.yielded.append(seat)

    @staticmethod
    def demand(code, holds):
        if not holds:
            raise Refused(code)

    # what it costs

    def pay_turn(self, seat):
        self.bank.remove("check" if "check" in self.bank else "bystander")
        self.checks[seat] += 1
        self.end_turn()

    def mistake(self, seat, cell):
        if "bystander" in self.bank:
            taken = ["bystander"]
        elif len(self.bank) >= 2:
            taken = ["check", "check"]
        else:
            self.lose("cannot_pay")
            return
        for face in taken:
            self.bank.remove(face)
        self.on_words += len(taken)
        self.arrows.add((cell, seat))
        self.end_turn()

    def end_turn(self):
        if self.won():
            self.phase, self.giver = "WON", None
        elif not self.bank:
            self.sudden_death()
        else:
            self.hits = 0
            self.giver = self.next_giver()
            self.phase = "CLUE" if self.giver else "CLUE_ANY"

    def next_giver(self):
        if self.order == "free":
            return None
        if self.order == "2-1":
            cycle = [self.first, self.first, OTHER[self.first]]
            wanted = cycle[len(self.givers) % 3]
        else:
            wanted = OTHER[self.giver]
        return OTHER[wanted] if self.complete(wanted) else wanted

    def sudden_death(self):
        self.phase, self.giver, self.hits, self.sudden = "SUDDEN", None, 0, True

    def lose(self, reason):
        self.phase, self.giver, self.reason = "LOST", None, reason
