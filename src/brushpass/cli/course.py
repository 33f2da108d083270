"""The steps of `brushpass learn`: what is told, what is asked, and what comes of each answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from brushpass.cli import lesson
from brushpass.cli.advice import strange
from brushpass.cli.lesson import Position
from brushpass.cli.screen import Screen
from brushpass.duet.agent import LeftTheTable
from brushpass.duet.agents.human import QUIT, Page, Unclear, doubt_of, read_clue, read_guess
from brushpass.duet.agents.options import DEFAULT_MIND
from brushpass.duet.core.actions import Clue, Guess, Stop, Yield
from brushpass.duet.core.cards import A, B, BySeat, Card, Color
from brushpass.duet.core.phase import Phase
from brushpass.duet.observation import Observation
from brushpass.duet.observe import observe
from brushpass.duet.render import log_lines
from brushpass.duet.story import tell
from brushpass.lexicon.normalize import fold

if TYPE_CHECKING:
    from brushpass.semantics.mind import Mind

SKIP: Final = "skip"
THOUGHTS: Final = 3
"""Cards the bot says it thinks of."""
JUDGED: Final = {
    Color.GREEN: "one of your agents.",
    Color.TAN: "a bystander on your side. My mark lies there now, and the turn is over.",
    Color.BLACK: "an assassin on your side. Lost! Here it is taken back: say another clue.",
}
"""What the bot says of its touches."""
HELP: Final = (
    "Type what is asked for, or: skip (this step is played for you), board, log, quit.",
    "A card is its word, its number or its first letters; a clue is a word and a number, such as: ocean 2",
)


class Skipped(Exception):
    """This step is to be played by the bot."""


class Course:
    """The guided game on a screen; `done` steps are behind us."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._steps: tuple[tuple[str, Callable[[], None]], ...] = (
            ("Two keys", self._keys),
            ("My clue, your touches", self._touch),
            ("Your clue, my touches", self._clue),
            ("Marks", self._marks),
            ("Sudden death", self._sudden),
        )
        self.done = 0

    @property
    def finished(self) -> bool:
        """Whether all steps are behind us."""
        return self.done == len(self._steps)

    def run(self) -> None:
        """From the first step to the end of the game.

        Raises:
            LeftTheTable: the learner left.
        """
        self._tell("Five steps, five minutes. Type skip to go on, quit to leave, help for more.")
        for number, (title, step) in enumerate(self._steps, 1):
            self._tell("", f"STEP {number} OF {len(self._steps)}: {title.upper()}")
            try:
                step()
            except Skipped:
                self._tell("Skipped.")
            self.done = number
        self._end()

    # -------------------------------------------------------------- the steps

    def _keys(self) -> None:
        view = self._view(lesson.begins(1))
        self._screen.board(view, logged=0)
        self._tell(
            "Among these 25 words are 15 agents: together we have to find them all.",
            "You see your side of the key: 9 agents, 13 bystanders, 3 assassins.",
            "I see another side, with 9 agents of my own; 3 words are agents on both.",
            "I find yours by your clues, you find mine by mine. A clue is one word.",
            "A turn costs one of our 8 tokens; touching an assassin loses the game.",
        )
        self._pause(view)

    def _touch(self) -> None:
        at = lesson.begins(1).after(B, lesson.clue_of(1))
        self._tell(
            "I begin and say FRUIT 2: two of MY agents have to do with fruit. Which?",
            "My side of the key judges what you touch, not yours: forget your colors now.",
        )
        at = self._touches(at, lesson.meant(1), "Both are found. You could go on, but a miss leaves a mark: type stop")
        self._tell(
            f"The turn is over and costs a token: {at.state.bank} are left.",
            "You did not miss, so it lies check side up: in a standard game, a point.",
        )

    def _clue(self) -> None:
        at = lesson.begins(2)
        view = self._view(at)
        greens = ", ".join(view.words[card] for card in view.greens_left())
        blacks = ", ".join(word for card, word in enumerate(view.words) if view.key.color(card) is Color.BLACK)
        self._tell(
            "Now you give a clue: a word for two or more of your agents, and how many.",
            f"Your agents: {greens}.",
            f"Keep away from your assassins ({blacks}): if I touch one we lose.",
            "It may be no word on the table, nor a form or a part of one.",
            "If none comes to mind: doctor 2",
        )
        try:
            while not self._answered(at, self._ask_clue(view)):
                pass
        except Skipped:
            self._tell("Skipped: you say DOCTOR 2.")
            self._answered(at, lesson.clue_of(2))

    def _marks(self) -> None:
        at = lesson.begins(5).after(B, lesson.clue_of(5))
        self._screen.board(self._view(at), logged=0)
        self._tell("Say your clue was DOCTOR 2, and two more turns went like this:", *self._turns(at, 3, 4))
        self._tell(
            "For your KEYS I touched piano, a bystander on your side: it has my mark.",
            "I may not touch it again, but you may: on my side it may be an agent.",
            "Now I say MUSIC 2.",
        )
        self._touches(at, lesson.meant(5), "That was all of it: type stop")

    def _sudden(self) -> None:
        at = lesson.begins(9)
        self._screen.board(self._view(at), logged=0)
        self._tell("The last tokens went like this:", *self._turns(at, 6, 8))
        self._tell(
            "With camel I found the last of your agents: from now on only you guess.",
            "And no token is left: SUDDEN DEATH. No clue, no stop; one miss loses the game.",
            "One agent of mine is missing. For which of my clues? Type log to see them all.",
        )
        while True:
            try:
                action = self._ask_guess(self._view(at))
            except Skipped:
                self._tell("Skipped: it was for COLD 2.")
                break
            if not isinstance(action, Guess):
                continue
            word = self._word(action.card)
            if word == lesson.LAST:
                break
            self._tell(
                f"{word} is no agent on my side: lost. Here it is taken back.",
                "For my COLD 2 you found ice, and then missed on glass. What else is cold?",
            )
        self._tell("snow: an agent of mine, though an assassin on your side. My side judges.")

    def _end(self) -> None:
        story = tell(lesson.record())
        self._tell("", "THE END: all 15 agents are found, the game is won.", "")
        self._screen.story(story, BySeat("you", "bot"))
        self._tell(
            "You see this after every game: what each clue meant, how likely the win was.",
            "",
        )

    # -------------------------------------------------------------- touching

    def _touches(self, at: Position, meant: tuple[Card, ...], then: str) -> Position:
        """The learner touches until the turn is over; what would end it badly is told and taken back."""
        while at.state.phase is Phase.GUESS:
            view = self._view(at)
            done = all(view.covered >> card & 1 for card in meant)
            if done:
                self._tell(then)
            try:
                action = self._ask_guess(view)
            except Skipped:
                return self._played(at, meant)
            at = self._touched(at, action.card, meant) if isinstance(action, Guess) else at.after(A, action)
        return at

    def _touched(self, at: Position, card: Card, meant: tuple[Card, ...]) -> Position:
        word, color = self._word(card), at.state.setup.keys.b.color(card)
        clue = at.state.clue.word.upper() if at.state.clue else ""
        if color is Color.GREEN:
            lucky = "" if card in meant else " I did not mean it, but luck counts."
            self._tell(f"{word}: an agent of mine!{lucky} It is found, and you may touch another.")
            return at.after(A, Guess(card))
        if color is Color.TAN:
            told = "a bystander on my side. It would get your mark and end the turn."
        else:
            told = "an assassin on my side. The game would be lost."
        self._tell(f"{word}: {told}", f"Here it is taken back. What goes with {clue}?")
        return at

    def _played(self, at: Position, meant: tuple[Card, ...]) -> Position:
        """The rest of the turn, as the bot hoped for it."""
        for card in meant:
            if not at.state.covered >> card & 1:
                at = at.after(A, Guess(card))
        self._tell(f"Skipped: I meant {' and '.join(map(self._word, meant))}.")
        return at.after(A, Stop())

    # -------------------------------------------------------------- the bot

    def _answered(self, at: Position, clue: Clue) -> bool:
        """The bot takes the clue and says what it thinks; False if it would lose the game: then it is taken back."""
        from brushpass.duet.agents.foresee import agents
        from brushpass.semantics.catalog import load_mind
        from brushpass.semantics.explain import because

        mind = load_mind(DEFAULT_MIND)
        at = at.after(A, clue)
        while at.state.phase is Phase.GUESS:
            view = observe(at.state, B, at.history)
            _, action = agents(mind, view)
            if clue.number and view.hits >= clue.number:
                self._tell(f"I stop: that was {view.hits}, as many as you said. The turn costs a token.")
                break
            self._tell(self._thoughts(mind, clue, view))
            if not isinstance(action, Guess):
                self._tell("I stop: nothing else is likely enough. The turn costs a token.")
                break
            word, color = self._word(action.card), at.state.setup.keys.a.color(action.card)
            self._tell(f"  {because(mind, clue.word, word)}", f"I touch {word}: {JUDGED[color]}")
            if color is Color.BLACK:
                return False
            at = at.after(B, action)
        return True

    def _thoughts(self, mind: Mind, clue: Clue, view: Observation) -> str:
        from brushpass.duet.agents.foresee import next_guess
        from brushpass.duet.storytext import percent

        first = next_guess(mind, clue, [view.words[card] for card in view.open_cards()])[:THOUGHTS]
        return f"{clue.word.upper()} makes me think of " + ", ".join(
            f"{one.word} ({percent(one.probability)})" for one in first
        )

    # -------------------------------------------------------------- asking and telling

    def _ask_guess(self, view: Observation) -> Guess | Stop | Yield:
        while True:
            text = self._read("touch> ", view)
            try:
                return read_guess(text, view)
            except Unclear as problem:
                self._tell(str(problem))

    def _ask_clue(self, view: Observation) -> Clue:
        from brushpass.semantics.catalog import load_mind

        doubted: Clue | None = None
        while True:
            text = self._read("clue> ", view)
            try:
                clue = read_clue(text, view.words)
                doubt = doubt_of(clue, view, lambda word: strange(load_mind(DEFAULT_MIND), word, "bot"))
            except Unclear as problem:
                self._tell(str(problem))
                continue
            if not doubt or clue == doubted:
                return clue
            doubted = clue
            self._tell(f"{doubt}. Type it again to say it all the same.")

    def _pause(self, view: Observation) -> None:
        while self._read("press Enter to go on> ", view, empty=True):
            self._tell("Nothing is asked here: press Enter to go on, or type quit.")

    def _read(self, prompt: str, view: Observation, *, empty: bool = False) -> str:
        """One line that is no command of the lesson, folded."""
        while True:
            text = fold(self._screen.read(prompt, (*view.words, SKIP, *Page, *QUIT)))
            match text.removeprefix("/"):
                case "skip":
                    raise Skipped
                case "quit" | "exit":
                    raise LeftTheTable
                case "help" | "?":
                    self._tell(*HELP)
                case "board" | "log" as page:
                    self._screen.page(Page(page), view)
                case "hint" | "why" | "save" | "undo" as command:
                    self._tell(f"{command} is for real games; here skip plays the step for you.")
                case "" if not empty:
                    continue
                case _:
                    return text

    def _view(self, at: Position) -> Observation:
        return observe(at.state, A, at.history)

    def _word(self, card: Card) -> str:
        return lesson.setup().board.words[card]

    def _turns(self, at: Position, first: int, last: int) -> Iterable[str]:
        lines = log_lines(at.history, at.state.setup.board.words, A, "bot")
        return [f"  {line}" for line in lines[first - 1 : last]]

    def _tell(self, *lines: str) -> None:
        self._screen.lines(lines)
