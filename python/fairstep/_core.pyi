"""The compiled part of fairstep. Use `import fairstep`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
import os
import pathlib
from typing import Annotated, Any, overload

import matplotlib.axes
import numpy
import numpy.typing
from numpy.typing import NDArray
import pandas


version: str = '0.1.0'

def round_up(number: float, decimals: int = 4) -> str:
    """
    `0.0269` for 0.026826: so many digits after the point, never below the number, never -0.
    """

def round_down(number: float, decimals: int = 4) -> str:
    """`0.0268` for 0.026826: never above the number."""

def round_up_short(number: float, significant: int) -> str:
    """With so many significant digits, as `%g` has it."""

def round_down_short(number: float, significant: int) -> str:
    """With so many significant digits, never above the number."""

def round_up_percent(share: float, decimals: int) -> str:
    """A share in hundredths."""

def round_up_beside(bound: float, limit: float, decimals: int = 4) -> str:
    """
    A bound beside the limit it is compared with: as many digits as it takes to see them on their sides.
    """

def one_minus(delta: float) -> str:
    """
    The probability that is left when delta may fail, from the digits that delta has: `0.93` for 0.07.
    """

def did_you_mean(word: str, known: Sequence[str]) -> str:
    """`did you mean "dp"?`, or an empty text if nothing is near."""

def notions() -> list[tuple[str, str]]:
    """
    The words for notions of fairness, and what they are called in a sentence.
    """

def ratios() -> list[tuple[str, str]]:
    """The same for ratios."""

class Grounds:
    """
    What an estimated model rests on, row by row: how much was seen, what was guessed and by which rule, what was assumed about labels, what of the log could not be used.
    """

    @property
    def groups(self) -> list[str]:
        """Names of the groups, [g]."""

    @property
    def features(self) -> list[str]:
        """Names of the features, [x]."""

    @property
    def people(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', writable=False)]:
        """People counted, [g]."""

    @property
    def shares(self) -> str:
        """
        Whether the groups' shares are those of the people counted, or were given.
        """

    @property
    def first(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', writable=False)]:
        """First states seen, [g]; 0: the group's first state is a guess."""

    @property
    def successors(self) -> Annotated[NDArray[numpy.int64], dict(order='C', writable=False)]:
        """
        Next states seen, [g,x,y,a]; 0: the row is a guess. [g,period,x,y,a] if the model has several periods.
        """

    @property
    def rewards(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None, None, None), order='C', writable=False)]:
        """
        Rewards seen, [g,x,y,a]; 0: the mean reward is a guess. If they were given, decisions seen.
        """

    @property
    def rewards_are(self) -> str:
        """Whether mean rewards are those of the log, or were given."""

    @property
    def gaps(self) -> int:
        """
        Decisions after a gap that participation takes for those of people who join there.
        """

    @property
    def unvisited(self) -> str:
        """The rule of the guessed rows: uniform, stay or error."""

    @property
    def guessed_rows(self) -> int:
        """How many rows are guesses."""

    @property
    def rows(self) -> int | None:
        """Rows of the log; None if the counts did not say which it was."""

    @property
    def lost(self) -> int | None:
        """Of these, so many could not be used."""

    @property
    def censored(self) -> str | None:
        """
        What was assumed about labels that nobody knows: no, drop or assume-ignorable.
        """

    @property
    def imputed(self) -> int | None:
        """Labels that were drawn."""

    @property
    def unlabelled(self) -> int | None:
        """Decisions without a label, left out."""

    @property
    def excluded(self) -> int | None:
        """Rows of groups that are outside of the study."""

    @property
    def unrecorded_people(self) -> int | None:
        """People in the counts of whose log nothing is known."""

    @property
    def labels(self) -> str | None:
        """follow-features where that is assumed; None if states are as seen."""

    @property
    def refused(self) -> str | None:
        """
        What is assumed of those whose label was not seen, where labels follow features; otherwise None.
        """

    @property
    def caveats(self) -> list[str]:
        """What whoever uses the model has to know, a sentence each."""

    def to_frame(self) -> pandas.DataFrame:
        """
        A table with columns group, x, y, a, successors, rewards and row (seen, or the rule of a guess).
        """

    def __repr__(self) -> str: ...

class Model:
    """
    A population: who is there, how decisions change them, and what a decision earns.

    Ready-made ones come from `fairstep.env`, estimated ones from `fairstep.fit`, files from `Model.load`. A model that exists is sound: the constructor checks everything and rescales nothing. Arrays are read-only views with the axes in brackets, counted from 0.
    """

    def __init__(self, *, horizon: int, groups: Sequence[str], features: Sequence[str], share: Sequence[float], initial: numpy.typing.ArrayLike, transition: numpy.typing.ArrayLike, reward: numpy.typing.ArrayLike, reward_noise: numpy.typing.ArrayLike | None = None, discount: float = 1.0, description: str = '', labels: Sequence[str] | None = None, actions: Sequence[str] | None = None, leave: numpy.typing.ArrayLike | None = None, first_step: numpy.typing.ArrayLike | None = None, rests_on: Grounds | None = None, periods: Mapping[str, int] | None = None) -> None:
        """
        From arrays: `initial` [g,x,y], `transition` [g,x,y,a,x1,y1], `reward` and `reward_noise` [g,x,y,a]; people who come and go have `leave` [g,x,y,a] and `first_step` [g,h]. `rests_on` is that of the estimate which the arrays are from. With `periods`, names and first steps, each has a kernel of its own and `transition` is [g,period,x,y,a,x1,y1]. Whatever is wrong is a ValueError that names the entry.
        """

    @property
    def description(self) -> str:
        """What it is, in words."""

    @property
    def horizon(self) -> int:
        """Steps of an episode."""

    @property
    def groups(self) -> list[str]:
        """Names of the groups, [g]."""

    @property
    def features(self) -> list[str]:
        """Names of the features, [x]."""

    @property
    def labels(self) -> list[str]:
        """Names of the labels 0 and 1."""

    @property
    def actions(self) -> list[str]:
        """Names of the actions 0 and 1."""

    @property
    def discount(self) -> float:
        """Step h counts discount^h."""

    @property
    def share(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """Shares of the population, [g]."""

    @property
    def initial(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', writable=False)]:
        """Distribution of the first state, [g,x,y]."""

    @property
    def transition(self) -> Annotated[NDArray[numpy.float64], dict(order='C', writable=False)]:
        """
        P(x1, y1 | x, y, a) in each group, [g,x,y,a,x1,y1]; [g,period,x,y,a,x1,y1] if there are periods.
        """

    @property
    def periods(self) -> dict[str, int]:
        """
        Periods with a kernel of their own, a name and the first step of each; none: one kernel for all steps.
        """

    @property
    def reward(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None, None), order='C', writable=False)]:
        """Mean reward, [g,x,y,a]."""

    @property
    def reward_noise(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None, None), order='C', writable=False)]:
        """
        A reward is its mean plus or minus this, [g,x,y,a]; empty if there is no noise.
        """

    @property
    def reward_range(self) -> tuple[float, float]:
        """The least and the greatest reward that a decision can bring."""

    @property
    def participates(self) -> bool:
        """Whether people join late and leave early."""

    @property
    def rests_on(self) -> Grounds | None:
        """
        What was seen of each row and what was guessed, if the model is an estimate.
        """

    def __repr__(self) -> str: ...

    @staticmethod
    def load(path: str | os.PathLike) -> Model:
        """From a file (docs/formats.md)."""

    @staticmethod
    def from_json(text: str) -> Model:
        """From the text of such a file."""

    def to_json(self) -> str:
        """The text of the file that `save` writes."""

    def save(self, path: str | os.PathLike) -> None:
        """
        Writes the file, whole or not at all; numbers read back the same to the last bit.
        """

    def __getstate__(self) -> str: ...

    def __setstate__(self, arg: str, /) -> None: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

class Policy:
    """
    Who is accepted: P(a=1) for each group, step and feature.

    `fairstep.solve` and `fairstep.learn` find policies, `fairstep.policy` makes simple ones.
    """

    def __init__(self, accept: numpy.typing.ArrayLike, *, groups: Sequence[str] = [], group_independent: bool = False) -> None:
        """
        From probabilities [g,h,x]; `groups` are the names that it is for, none: any. With `group_independent`, from [h,x].
        """

    @property
    def accept(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', writable=False)]:
        """
        P(a=1), [g,h,x]; with one group in it if the policy does not look at the group.
        """

    @property
    def group_independent(self) -> bool:
        """Whether the policy does not look at the group."""

    @property
    def horizon(self) -> int:
        """Steps of an episode."""

    @property
    def groups(self) -> list[str]:
        """The groups that it was made for; none: any."""

    def __repr__(self) -> str: ...

    def to_frame(self, model: Model | None = None) -> pandas.DataFrame:
        """A table with columns group, step, x and accept."""

    @staticmethod
    def load(path: str | os.PathLike) -> Policy:
        """From a file (docs/formats.md)."""

    @staticmethod
    def from_json(text: str) -> Policy:
        """From the text of such a file."""

    def to_json(self) -> str:
        """The text of the file that `save` writes."""

    def save(self, path: str | os.PathLike) -> None:
        """
        Writes the file, whole or not at all; numbers read back the same to the last bit.
        """

    def __getstate__(self) -> str: ...

    def __setstate__(self, arg: str, /) -> None: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

class Finding:
    """Something in a log that is not as it should be (docs/logs.md)."""

    @property
    def anomaly(self) -> str:
        """What it is: missing, unreadable, duplicate, ..."""

    @property
    def role(self) -> str:
        """Which of a row's values; empty if it is about the row as a whole."""

    @property
    def rows(self) -> int:
        """How many rows."""

    @property
    def file(self) -> str:
        """Where the first of them is."""

    @property
    def row(self) -> int:
        """Its number, 1 for the first below the header."""

    def __repr__(self) -> str: ...

class Lost:
    """
    What a log had and its counts do not: rows that could not be used, each charged to every entry that it may belong to. Whatever they would have said, the complete tables have at most so many more.
    """

    @property
    def first(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', writable=False)]:
        """People at most whose first state is missing, [g]."""

    @property
    def first_in_doubt(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', writable=False)]:
        """
        People at most who are counted with a state that was not their first, [g].
        """

    @property
    def decisions(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', writable=False)]:
        """Decisions at most that are missing, [g,h]."""

    @property
    def cells(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None, None, None), order='C', writable=False)]:
        """Decisions at most that are missing, over all steps, [g,x,y,a]."""

    @property
    def transitions(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None, None, None), order='C', writable=False)]:
        """Successors at most that are missing, [g,x,y,a]."""

    def __bool__(self) -> bool: ...

    def __repr__(self) -> str: ...

class LogRecord:
    """Where counts came from, and what was wrong there."""

    @property
    def files(self) -> list[str]:
        """Names of the files."""

    @property
    def columns(self) -> list[tuple[str, str]]:
        """What and its column, such as ('x', 'score_band')."""

    @property
    def bins(self) -> list[float]:
        """Lower ends of the features, if x is a number cut into bins."""

    @property
    def first_step(self) -> int:
        """The log's number of step 0."""

    @property
    def rows(self) -> int:
        """Rows read."""

    @property
    def findings(self) -> list[Finding]:
        """Whatever is not as it should be, a kind each."""

    @property
    def censored(self) -> str:
        """
        What was assumed about labels that nobody knows: no, drop or assume-ignorable.
        """

    @property
    def shape(self) -> list[str]:
        """
        What was made of the table before its rows were counted, a line for each thing.
        """

    @property
    def imputed(self) -> int:
        """Labels that were drawn."""

    @property
    def lost(self) -> Lost | None:
        """
        What could not be used, and what it may have been; None if a file of an older version does not say.
        """

    @property
    def unlabelled(self) -> int:
        """Decisions without a label."""

    @property
    def excluded(self) -> list[tuple[str, int]]:
        """Groups outside of the study and their rows."""

    @property
    def unrecorded_people(self) -> int:
        """People of whose log nothing is known."""

    def __repr__(self) -> str: ...

class Part:
    """Of which split counts are one part (docs/logs.md)."""

    @property
    def role(self) -> str:
        """
        design: policies are made from it; audit: what is claimed about them is proven by it.
        """

    @property
    def share(self) -> float:
        """Of the people that went to the design part."""

    @property
    def seed(self) -> int:
        """Of the hash that split them."""

    @property
    def logs(self) -> list[str]:
        """Fingerprints of what was split: both parts have the same."""

    def __eq__(self, other: object, /) -> bool: ...

    def __repr__(self) -> str: ...

class Counts:
    """
    What a log says, in as many numbers as matter; no person is in them.

    `fairstep.count` reads logs and frames, `fairstep.simulate` draws people. Counts of different people add up: `a + b`.
    """

    def __init__(self, *, groups: Sequence[str], features: Sequence[str], first: numpy.typing.ArrayLike, visits: numpy.typing.ArrayLike, transitions: numpy.typing.ArrayLike, reward_sum: numpy.typing.ArrayLike, reward_squares: numpy.typing.ArrayLike, periods: Mapping[str, int] | None = None) -> None:
        """
        From arrays: `first` [g,x,y], `visits` [g,h,x,y,a], `transitions` [g,x,y,a,x1,y1], `reward_sum` and `reward_squares` [g,x,y,a]. With `periods`, names and first steps, `transitions` is [g,period,x,y,a,x1,y1].
        """

    @property
    def horizon(self) -> int:
        """Steps of an episode."""

    @property
    def groups(self) -> list[str]:
        """Names of the groups, [g]."""

    @property
    def features(self) -> list[str]:
        """Names of the features, [x]."""

    @property
    def labels(self) -> list[str]:
        """Names of the labels 0 and 1."""

    @property
    def actions(self) -> list[str]:
        """Names of the actions 0 and 1."""

    @property
    def first(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None, None), order='C', writable=False)]:
        """People whose first seen state this was, [g,x,y]."""

    @property
    def visits(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None, None, None, None), order='C', writable=False)]:
        """Decisions taken, [g,h,x,y,a]."""

    @property
    def transitions(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None, None, None, None, None), order='C', writable=False)]:
        """Steps whose successor was seen, over all steps, [g,x,y,a,x1,y1]."""

    @property
    def transitions_by_period(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None, None, None, None, None, None), order='C', writable=False)]:
        """The same by period, [g,period,x,y,a,x1,y1]; empty without periods."""

    @property
    def periods(self) -> dict[str, int]:
        """
        Periods by which successors were counted, a name and the first step of each; none: over all steps alone.
        """

    def by(self, kernel: str | Mapping[str, int]) -> Counts:
        """
        The same counts with successors by other periods: "pooled", "per-step", or names and first steps. Each must be made of periods that were counted.
        """

    @property
    def reward_sum(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None, None), order='C', writable=False)]:
        """Sum of rewards, [g,x,y,a]."""

    @property
    def reward_squares(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None, None), order='C', writable=False)]:
        """Sum of squared rewards, [g,x,y,a]."""

    @property
    def people(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', writable=False)]:
        """People, [g]; those whose first row could not be used included."""

    @property
    def decisions(self) -> int:
        """Decisions in all."""

    @property
    def log(self) -> LogRecord | None:
        """Where they came from, if from a log."""

    @property
    def part(self) -> Part | None:
        """Which part of a split they are, if they are not of all people."""

    def __add__(self, arg: Counts, /) -> Counts: ...

    def add(self, other: Counts, *, different_people: bool = False) -> Counts:
        """
        The sum, as `a + b`. Counts that are the same to the last number, or that come from a log of the same name, are refused unless `different_people` says that they are of others.
        """

    def __repr__(self) -> str: ...

    def to_frame(self) -> pandas.DataFrame:
        """A table of the decisions: columns group, step, x, y, a and decisions."""

    @staticmethod
    def load(path: str | os.PathLike) -> Counts:
        """From a file (docs/formats.md)."""

    @staticmethod
    def from_json(text: str) -> Counts:
        """From the text of such a file."""

    def to_json(self) -> str:
        """The text of the file that `save` writes."""

    def save(self, path: str | os.PathLike) -> None:
        """
        Writes the file, whole or not at all; numbers read back the same to the last bit.
        """

    def __getstate__(self) -> str: ...

    def __setstate__(self, arg: str, /) -> None: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

def save_parts(design: Counts, design_path: str | os.PathLike, audit: Counts, audit_path: str | os.PathLike) -> None: ...

def load(path: str | os.PathLike) -> Model | Policy | Counts: ...

def uniform_policy(model: Model, accept: float, group_independent: bool) -> Policy: ...

def threshold_policy(model: Model, from_: Sequence[int], group_independent: bool) -> Policy:
    """One feature for each group."""

def accept_all(model: Model, group_independent: bool) -> Policy: ...

def refuse_all(model: Model, group_independent: bool) -> Policy: ...

def random_policy(model: Model, seed: int, group_independent: bool) -> Policy: ...

def make_fico(*, groups: Sequence[str] = ..., bands: int = ..., horizon: int = ..., discount: float = ..., gain: Sequence[float] = ..., loss: Sequence[float] = ..., share: Sequence[float] = ..., score: Sequence[float] = ...) -> Model: ...

def make_synthetic(*, groups: Sequence[str] = ..., horizon: int = ..., discount: float = ..., qualified: Sequence[float] = ..., gain: Sequence[float] = ..., loss: Sequence[float] = ..., share: Sequence[float] = ..., score: Sequence[float] = ...) -> Model: ...

def make_lending(*, groups: Sequence[str] = ..., horizon: int = ..., discount: float = ..., interest: float = ..., move: float = ..., share: Sequence[float] = ..., repay: Sequence[float] = ..., scores: Sequence[Sequence[float]] = ...) -> Model: ...

def make_random(*, groups: int = ..., features: int = ..., horizon: int = ..., discount: float = ..., successors: int = ..., reward_noise: float = ..., participation: bool = ..., seed: int = ...) -> Model: ...

class Rates:
    """
    Shares of people, per group and step; NaN where nobody is who could have the rate.
    """

    @property
    def groups(self) -> list[str]:
        """Names of the groups, [g]."""

    @property
    def accept(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', writable=False)]:
        """P(a=1), [g,h]."""

    @property
    def tpr(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', writable=False)]:
        """P(a=1 | y=1), [g,h]."""

    @property
    def fpr(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', writable=False)]:
        """P(a=1 | y=0), [g,h]."""

    @property
    def qualified(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', writable=False)]:
        """P(y=1), [g,h]."""

    def to_frame(self) -> pandas.DataFrame:
        """A table with columns group, step, accept, tpr, fpr and qualified."""

    def __repr__(self) -> str: ...

class Gaps:
    """
    The widest difference between two groups at each step, by notion of fairness.
    """

    @property
    def dp(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """Demographic parity: of P(a=1), [h]."""

    @property
    def eqopt(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """Equal opportunity: of P(a=1 | y=1), [h]."""

    @property
    def eqodds(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """Equalized odds: the worse of P(a=1 | y=1) and P(a=1 | y=0), [h]."""

    def worst_pair(self, fairness: str, step: int) -> tuple[str, str] | None:
        """
        The two groups that are furthest apart; None if fewer than two have the rate.
        """

    def to_frame(self) -> pandas.DataFrame:
        """A table with columns step, dp, eqopt and eqodds."""

    def __repr__(self) -> str: ...

class Evaluation:
    """What a policy does to a population: exact, not simulated."""

    @property
    def rests_on(self) -> Grounds | None:
        """What the model rests on, if it is an estimate."""

    @property
    def unseen_visits(self) -> float | None:
        """
        Under an estimated model: the share of the policy's visits, before the last step, that rest on rows that nobody saw.
        """

    @property
    def unseen_rewards(self) -> float | None:
        """
        Under an estimated model: the share of the policy's visits that rest on rewards that nobody saw.
        """

    @property
    def caveats(self) -> list[str]:
        """What the policy rests on under an estimated model, a sentence each."""

    @property
    def value(self) -> float:
        """Expected total reward of a random person."""

    @property
    def value_per_step(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """What step h adds; it sums to the value. [h]"""

    @property
    def value_per_group(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """Of a person of the group, [g]."""

    @property
    def rates(self) -> Rates:
        """Shares of people accepted."""

    @property
    def gap(self) -> Gaps:
        """How far apart the groups are at each step."""

    def ratio(self, fairness: str = 'dp-ratio', *, reference: str | None = None) -> numpy.typing.NDArray[numpy.float64]:
        """
        The least ratio of any group's rate to the greatest of all, or to that of a reference, [h]: dp-ratio of accepted shares (the adverse impact ratio), eqopt-ratio of those of the qualified. NaN where there is none.
        """

    @property
    def groups(self) -> list[str]:
        """Names of the groups, [g]."""

    @property
    def aggregate_dp(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """Share of people that are accepted, over the whole episode, [g]."""

    @property
    def aggregate_dp_gap(self) -> float:
        """Its widest difference between two groups."""

    @property
    def aggregate_eqopt(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """Share of the qualified that are accepted, over the whole episode, [g]."""

    @property
    def aggregate_eqopt_gap(self) -> float:
        """Its widest difference between two groups."""

    @property
    def present(self) -> Rates | None:
        """
        The rates of those who take part at a step, where people join late and leave early; otherwise None.
        """

    @property
    def present_share(self) -> numpy.typing.NDArray[numpy.float64] | None:
        """How many of a group's people take part, [g,h]; None as above."""

    @property
    def feature(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', writable=False)]:
        """P(x), [g,h,x]."""

    @property
    def mass(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None, None), order='C', writable=False)]:
        """P(x, y), [g,h,x,y]."""

    @property
    def q(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None, None, None), order='C', writable=False)]:
        """Value to go if a is taken, [g,h,x,y,a]."""

    @property
    def v(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None, None), order='C', writable=False)]:
        """Value to go, [g,h,x,y]."""

    def __repr__(self) -> str: ...

    def plot(self, rate: str = 'accept', *, limit: float | Sequence[float] | None = None, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """
        Draws a rate (accept, tpr, fpr or qualified) per step and group, with matplotlib.
        """

def evaluate(model: Model, policy: Policy) -> Evaluation: ...

def differences(model: Model, first: Policy, of_first: Evaluation, second: Policy, of_second: Evaluation) -> tuple[list[tuple[int, int, int, float, float, float, float, float]], list[float], float]: ...

def falls(model: Model, policy: Policy, order: Sequence[str], monotone_in: int) -> list[tuple[int, int, int, int, float]]: ...

class Log:
    """
    Simulated people, a row for each decision: columns of equal length, groups and features by number.

    The rows come person after person and step after step.
    """

    @property
    def groups(self) -> list[str]:
        """Names of the groups, [g]."""

    @property
    def features(self) -> list[str]:
        """Names of the features, [x]."""

    @property
    def person(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', writable=False)]:
        """Number of the person."""

    @property
    def group(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', writable=False)]:
        """g of the person."""

    @property
    def step(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', writable=False)]:
        """Step h."""

    @property
    def x(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', writable=False)]:
        """Feature."""

    @property
    def y(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', writable=False)]:
        """Label."""

    @property
    def a(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', writable=False)]:
        """Decision."""

    @property
    def reward(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """What it earned."""

    def __len__(self) -> int: ...

    def __repr__(self) -> str: ...

    def to_frame(self) -> pandas.DataFrame:
        """
        A table with columns person, group, step, x, y, a and reward; groups and features by name. `fairstep.count` takes it.
        """

def simulate_counts(model: Model, policy: Policy, people: int, per_group: bool, seed: int, kernel: str | Sequence[tuple[str, int]] | None) -> Counts: ...

def simulate_people(model: Model, policy: Policy, people: int, per_group: bool, seed: int, threads: int, kernel: str | Sequence[tuple[str, int]] | None) -> Counts: ...

def simulate_split_counts(model: Model, policy: Policy, people: int, per_group: bool, seed: int, split: float, kernel: str | Sequence[tuple[str, int]] | None) -> tuple[Counts, Counts]: ...

def simulate_split_people(model: Model, policy: Policy, people: int, per_group: bool, seed: int, threads: int, split: float, kernel: str | Sequence[tuple[str, int]] | None) -> tuple[Counts, Counts]: ...

def simulate_log(model: Model, policy: Policy, people: int, per_group: bool, seed: int) -> Log: ...

class Estimate:
    """A model from counts, and how much was behind it."""

    @property
    def model(self) -> Model:
        """
        Proportions and means that were counted; rows of cells without a seen successor are filled by the rule.
        """

    @property
    def visits(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None, None, None), order='C', writable=False)]:
        """Decisions taken, [g,x,y,a]."""

    @property
    def successors(self) -> Annotated[NDArray[numpy.int64], dict(order='C', writable=False)]:
        """
        Of these, with the next state seen, [g,x,y,a]; [g,period,x,y,a] if there are several periods.
        """

    @property
    def people(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', writable=False)]:
        """First states seen, [g]."""

    @property
    def unvisited(self) -> int:
        """Cells without a seen successor."""

    @property
    def unvisited_cells(self) -> list[tuple[int, ...]]:
        """
        These cells, (g, x, y, a) each; (g, x, y, a, period) if there are several periods.
        """

    @property
    def empty_groups(self) -> list[str]:
        """Groups of which nobody was seen."""

    @property
    def not_taking_part(self) -> str:
        """
        Why no participation was estimated although people come and go; empty otherwise.
        """

    @property
    def objections(self) -> list[tuple[str, str]]:
        """
        Why the model is not worth solving, and what would help; none if it is.
        """

    def pessimistic(self, *, delta: float = 0.1, reward_range: tuple[float, float] | None = None) -> Model:
        """
        The model with rewards lowered by what the data leave open: with probability 1 - delta every policy is worth at least in truth what it is worth there.
        """

    def radii(self, *, delta: float = 0.1, reward_range: tuple[float, float] | None = None) -> Radii:
        """
        How far the truth may be from the model; with `reward_range`, of mean rewards as well.
        """

    def __repr__(self) -> str: ...

def estimate(counts: Counts, share: Sequence[float], unvisited: str | None, discount: float, description: str, refused: str | None, point: str | None, reward: object | None, participation: bool) -> Estimate: ...

def given_rewards(counts: Counts, text: str | None, file: str | os.PathLike | None, rows: Sequence[tuple[str | None, str | None, int | None, int | None, float]]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None, None), order='C', writable=False)]: ...

class Radii:
    """
    How far the estimate may be from the truth, in total variation: all radii hold together with probability 1 - delta, whatever policies people met and whenever one looks.
    """

    @property
    def row(self) -> Annotated[NDArray[numpy.float64], dict(order='C', writable=False)]:
        """
        Of the kernel's rows, [g,x,y,a]; 1 where nothing was seen. [g,period,x,y,a] if there are several periods.
        """

    @property
    def initial(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """Of the first state's distribution, [g]."""

    @property
    def reward(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None, None), order='C', writable=False)]:
        """
        Of mean rewards, [g,x,y,a]; empty unless the range of rewards is given.
        """

    @property
    def delta_row(self) -> float:
        """What each row may fail with."""

    def __repr__(self) -> str: ...

def radii(estimate: Estimate, delta: float, reward_range: tuple[float, float] | None) -> Radii: ...

def pessimistic(estimate: Estimate, radii: Radii, delta: float, reward_range: tuple[float, float] | None) -> Model: ...

def bonus(estimate: Estimate, k: int, delta: float, reward_range: tuple[float, float], scale: float, opt_out: bool) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None, None, None), order='C', writable=False)]: ...

def c_hat(estimate: Estimate, k: int, delta: float, epsilon: float | None, scale: float, opt_out: bool) -> float: ...

def d_hat(estimate: Estimate, k: int, delta: float, epsilon: float | None, scale: float, opt_out: bool, scale_widths: bool) -> float: ...

class Audit:
    """
    How groups were treated at every step, with bands that hold all together with probability 1 - delta, whatever rows that were left out of the counts would have said.
    """

    @property
    def groups(self) -> list[str]:
        """Names of the groups, [g]."""

    @property
    def horizon(self) -> int:
        """Steps."""

    @property
    def delta(self) -> float:
        """
        What the bands of rates may fail with, all together; so may those of differences, of ratios, of windows, and the policy's.
        """

    @property
    def assumptions(self) -> list[str]:
        """
        What the bands rest on, a sentence each; the last says what holds together with what.
        """

    @property
    def people(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', writable=False)]:
        """Everybody, also those whose first row could not be used, [g]."""

    @property
    def decisions(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', writable=False)]:
        """Those without a label included, [g]."""

    def rate_bands(self, rate: str) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]] | None:
        """
        Of accept, tpr or fpr: what was observed, and the least and the greatest chance behind it, [g,h] each. None if the notions do not need it, or if nobody knows how many labels are missing. 0 to 1 where labels were drawn.
        """

    def gap_bands(self, fairness: str) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]] | None:
        """
        The widest gap between two groups at each step, and its band, [h] each; None if not asked for.
        """

    def ratio_bands(self, fairness: str) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]] | None:
        """
        Of dp-ratio or eqopt-ratio: the least ratio of a group's rate to the reference's, or to that of any other, at each step, and its band, [h] each; None if not asked for. A band may have no end.
        """

    def pairs(self) -> list[tuple[str, int, str, str, float, float, float, float, bool, float, float, float]]:
        """
        Every two groups at every step: (rate, step, first, second, difference, low, high, p, differ, ratio, ratio_low, ratio_high). The difference is the first's rate minus the second's; p is adjusted for all pairs, and nan where none was tested.
        """

    @property
    def set_apart(self) -> list[str]:
        """Groups of too few people, which are compared with none."""

    @property
    def reference(self) -> str | None:
        """The group that ratios are to; None: whichever is treated best."""

    @property
    def ruling(self) -> str | None:
        """
        Of all limits: beyond if any is proven to be broken, within if all are proven to be kept, otherwise open; None without a limit.
        """

    def limits(self) -> list[tuple[str, int | None, float, float, float, float, str]]:
        """
        Each limit at each step: (on what, step or None for the whole episode, limit, found, low, high, ruling).
        """

    @property
    def episode_gap(self) -> tuple[float, float, float] | None:
        """
        Demographic parity over the whole episode: the widest gap between two groups, and its band; None if not asked for.
        """

    @property
    def episode_rates(self) -> list[tuple[float, float, float]]:
        """
        The accepted share of each group over the whole episode, the mean of the steps, and its band.
        """

    @property
    def policy_episode_gap(self) -> tuple[float, float] | None:
        """
        The policy's demographic-parity gap over the whole episode by the estimated model, and the widest over every model that the data allow; None if not asked for.
        """

    @property
    def policy_value(self) -> float | None:
        """What the policy would have earned a person, by the estimated model."""

    def policy_gap(self, fairness: str) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]] | None:
        """
        The policy's gap at each step by the estimated model, and the widest over every model that the data allow, [h] each.
        """

    @property
    def labels_follow_features(self) -> str | None:
        """
        Where that is assumed, whether the log refutes it: refuted, not refuted or cannot be tested; otherwise None.
        """

    @property
    def doubts_of_features(self) -> list[str]:
        """
        Where labels follow features, what the log says against it: sentences; none if nothing does.
        """

    @property
    def refused(self) -> str | None:
        """
        What is assumed of those whose label was not seen, where labels follow features; otherwise None.
        """

    def gaps_by_rule(self) -> list[tuple[str, str, int, float, float, float]]:
        """
        Where labels follow features: (what is assumed of those without a label, notion, step, gap, low, high) under each such assumption. The bands of one assumption hold together.
        """

    @property
    def weight(self) -> str | None:
        """
        The column by which decisions count, if they do not count each for one; then all rates are weighted.
        """

    @property
    def largest_weight(self) -> float | None:
        """
        The largest weight that there can be, as it was said beforehand; None without weights.
        """

    @property
    def effective_decisions(self) -> list[float] | None:
        """
        Kish's effective number of decisions by group, with weights: a description, no band rests on it.
        """

    @property
    def unseen(self) -> list[tuple[int, int, int, int]]:
        """Cells (g, x, y, a) without a decision."""

    @property
    def thin(self) -> list[tuple[tuple[int, int, int, int], int]]:
        """Cells with fewer decisions than asked for, and how many."""

    def to_markdown(self) -> str:
        """The report as Markdown."""

    def to_html(self) -> str:
        """The report as one page, for screen and paper."""

    def to_frame(self) -> pandas.DataFrame:
        """A table with columns step, fairness, gap, low and high."""

    @property
    def findings(self) -> list[Finding]:
        """What in the log was not as it should be."""

    def plot(self, rate: str = 'accept', *, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """
        Draws a rate (accept, tpr or fpr) per step and group as it was observed, with its band, by matplotlib.
        """

    def __repr__(self) -> str: ...

def audit(counts: Counts, fairness: Sequence[str], file: str | os.PathLike | None, limit: float | None, reference: str | None, small: int, delta: float, thin: int, policy: Policy | None, refused: str | None, weights: DecisionWeights | None) -> Audit: ...

class DiagnosedTest:
    """One question to a log, about one group."""

    @property
    def test(self) -> str:
        """
        kernel-by-step, kernel-by-window, decision-by-label, leaving, step-before or labels.
        """

    @property
    def group(self) -> str:
        """The group it is about."""

    @property
    def assumption(self) -> bool:
        """
        Whether guarantees rest on it. They do not rest on labels, which has no part in the verdict.
        """

    @property
    def verdict(self) -> str:
        """refuted, not refuted or cannot be tested."""

    @property
    def p_value(self) -> float | None:
        """By itself; None if it was not tested."""

    @property
    def adjusted(self) -> float | None:
        """With all tests paid for, by Holm's method."""

    @property
    def effect(self) -> float | None:
        """How far a rate could be off, beyond chance."""

    @property
    def sentence(self) -> str:
        """What was found, or why nothing could be."""

    def __repr__(self) -> str: ...

class Diagnosis:
    """Whether a log refutes the model, test by test."""

    @property
    def level(self) -> float:
        """The chance that anything is called refuted if the model holds."""

    @property
    def verdict(self) -> str:
        """refuted, not refuted or cannot be tested."""

    @property
    def tests(self) -> list[DiagnosedTest]:
        """By question, then group."""

    @property
    def doubts_of_features(self) -> list[str]:
        """
        What the log says against labels that follow features, where that is assumed: sentences.
        """

    def __repr__(self) -> str: ...

def diagnose(counts: Counts, level: float) -> Diagnosis: ...

class Bounds:
    """lower <= optimum <= upper; infinite where nothing is proven."""

    @property
    def lower(self) -> float: ...

    @property
    def upper(self) -> float: ...

    def __iter__(self) -> Iterator[float]: ...

    def __len__(self) -> int: ...

    def __getitem__(self, end: int) -> float: ...

    def __repr__(self) -> str: ...

class Binding:
    """A limit that stops the value from growing."""

    @property
    def step(self) -> int:
        """The step; the horizon for a limit on the whole episode."""

    @property
    def constraint(self) -> str:
        """dp, eqopt, ..., or the name of the row."""

    @property
    def pair(self) -> str:
        """The two groups, as in white-black; of a ratio, as in black/white."""

    @property
    def value(self) -> float:
        """Where the policy is."""

    @property
    def limit(self) -> float: ...

    @property
    def shadow_price(self) -> float:
        """What a unit of limit is worth, near here."""

    def __repr__(self) -> str: ...

class RulesPrice:
    """What it costs that a policy is monotone, a threshold or stationary."""

    @property
    def asked_for(self) -> str:
        """Such as monotone and stationary."""

    @property
    def order(self) -> list[list[int]] | None:
        """Numbers of features as they rise, in chains; None if they need not."""

    @property
    def without(self) -> Bounds:
        """Bounds on the best policy that need not be so."""

    @property
    def at_least(self) -> float:
        """The rules cost no less."""

    @property
    def at_most(self) -> float:
        """Nor more."""

    def __repr__(self) -> str: ...

class Infeasibility:
    """Why nothing fits, and what would."""

    @property
    def step(self) -> int:
        """Where it cannot be done; the horizon for the whole episode."""

    @property
    def constraint(self) -> str: ...

    @property
    def pair(self) -> str: ...

    @property
    def least_excess(self) -> float:
        """Proven: every policy exceeds some limit by at least this much."""

    @property
    def attained_excess(self) -> float:
        """What `nearest` exceeds its limits by."""

    @property
    def smallest_limit(self) -> float:
        """A limit that would do; of a ratio, the greatest."""

    @property
    def limit(self) -> float:
        """What was asked for."""

    @property
    def ratio(self) -> bool:
        """Whether it is a ratio, which should be at least its limit."""

    @property
    def would_do(self) -> str:
        """`smallest_limit` as a text, rounded to the safe side."""

    @property
    def nearest(self) -> Policy | None:
        """The policy that comes nearest."""

    def __repr__(self) -> str: ...

class SolveResult:
    """
    A policy, and a proof of how good it is.

    `outcome` says what is known: optimal (within the gap asked for), feasible, infeasible or unknown. Without a policy `value`, `policy`, `evaluation` and `rates` raise ValueError; `found` tells.
    """

    @property
    def rests_on(self) -> Grounds | None:
        """What the model rests on, if it is an estimate."""

    @property
    def unseen_visits(self) -> float | None:
        """
        Under an estimated model: the share of the policy's visits, before the last step, that rest on rows that nobody saw.
        """

    @property
    def unseen_rewards(self) -> float | None:
        """
        Under an estimated model: the share of the policy's visits that rest on rewards that nobody saw.
        """

    @property
    def caveats(self) -> list[str]:
        """What the policy rests on under an estimated model, a sentence each."""

    @property
    def outcome(self) -> str:
        """optimal, feasible, infeasible or unknown."""

    @property
    def stopped_by(self) -> str:
        """finished, time, iterations, requested or numerical."""

    @property
    def found(self) -> bool:
        """Whether there is a policy."""

    @property
    def method(self) -> str: ...

    @property
    def groups(self) -> list[str]:
        """Names of the groups, [g]."""

    @property
    def value(self) -> float:
        """Expected total reward of a random person, exact."""

    @property
    def bounds(self) -> Bounds:
        """lower <= best value (minus the penalty) <= upper."""

    @property
    def gap(self) -> float:
        """(upper - lower) / |lower|."""

    @property
    def policy(self) -> Policy:
        """The policy."""

    @property
    def evaluation(self) -> Evaluation:
        """What it does, exactly."""

    @property
    def rates(self) -> Rates:
        """Shares of people accepted, per group and step."""

    @property
    def penalty(self) -> float:
        """What the penalty method subtracted."""

    @property
    def parity_gap(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """The widest gap of the notions in force, [h]."""

    @property
    def least_ratio(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """The least of the ratios in force, [h]; empty if none is."""

    @property
    def shadow_price(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """What a unit of limit is worth, [h]."""

    @property
    def limits(self) -> list[tuple[str, list[float]]]:
        """The notions of fairness that were asked for, each with its limits [h]."""

    @property
    def vacuous_steps(self) -> list[int]:
        """Steps whose limit is 1 or more and can never bind."""

    @property
    def binding(self) -> list[Binding]:
        """The limits that stop the value from growing."""

    @property
    def infeasibility(self) -> Infeasibility | None:
        """Why nothing fits, if so."""

    @property
    def accepts_nobody(self) -> bool: ...

    @property
    def accepts_everybody(self) -> bool: ...

    @property
    def scarce_visits(self) -> float | None:
        """
        With `min_seen`: the share of the policy's visits that rest on decisions seen less often; None otherwise.
        """

    @property
    def randomised_value(self) -> float | None:
        """For deterministic policies: what randomising would reach."""

    @property
    def rules(self) -> RulesPrice | None:
        """For monotone, threshold and stationary policies: what being so costs."""

    @property
    def tail(self) -> float | None:
        """
        With `infinite`: what the steps after the cut are worth at most; the bounds allow for it.
        """

    @property
    def seconds(self) -> float: ...

    @property
    def nodes(self) -> int:
        """Of the branching."""

    def __repr__(self) -> str: ...

    def plot(self, rate: str | None = None, *, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """
        Draws the rate that fairness is about (or `rate`: accept, tpr, fpr, qualified) per step and group, with the band that the limit leaves, by matplotlib.
        """

class Question:
    """What fairness asks."""

    def __init__(self, *, notions: Sequence[str] = ..., files: Sequence[str | os.PathLike] = ..., limit: Sequence[float] = ..., ratio_limit: Sequence[float] = ..., reference: str | None = ..., capacity: Sequence[float] | None = ..., aggregate_dp: float | None = ..., aggregate_eqopt: float | None = ...) -> None: ...

class PolicyClass:
    """Which policies are allowed."""

    def __init__(self, *, floor: float = ..., floor_kind: str = ..., group_independent: bool = ..., deterministic: bool = ..., monotone: bool = ..., threshold: bool = ..., stationary: bool = ..., order: Sequence[str] = ..., monotone_in: int = ..., min_seen: int = ...) -> None: ...

class ProofBudget:
    """What a proof may cost."""

    def __init__(self, *, wanted: bool = ..., gap: float = ..., time_limit: float = ..., effort: int = ...) -> None: ...

class SolveOptions:
    """How a policy is looked for."""

    def __init__(self, *, method: str = ..., policies: PolicyClass = ..., penalty: float = ..., penalty_form: str = ..., proof: ProofBudget = ..., start: Policy | None = ...) -> None: ...

def solve(model: Model, question: Question, options: SolveOptions, tail: float | None, progress: Callable[[float, float, float, str], None] | None) -> SolveResult: ...

def parse_range(text: str) -> list[float] | None: ...

def usual_limits(model: Model, question: Question) -> str: ...

def pareto(model: Model, question: Question, limits: Sequence[float], options: SolveOptions, progress: Callable[[float, float, float, str], None] | None) -> list[tuple[float, SolveResult]]: ...

class AlternativeQuestion:
    """Which alternatives are looked for, and for how long."""

    def __init__(self, *, fairness: str = ..., policies: PolicyClass = ..., of_class: Sequence[str] = ..., capacity: Sequence[float] | None = ..., precision: float = ..., time_limit: float = ..., effort: int = ...) -> None: ...

class Alternative:
    """
    The least disparity of a policy that is worth as much as another, from both sides.

    `outcome` is found (one that is less disparate by more than the precision, and the least known to the precision), none (proven: there is none) or undecided. Disparity is the gap at the worst step, or what the ratio at the worst step lacks to 1. Without a policy `policy`, `value` and `evaluation` raise ValueError.
    """

    @property
    def rests_on(self) -> Grounds | None:
        """What the model rests on, if it is an estimate."""

    @property
    def unseen_visits(self) -> float | None:
        """
        Under an estimated model: the share of the policy's visits, before the last step, that rest on rows that nobody saw.
        """

    @property
    def unseen_rewards(self) -> float | None:
        """
        Under an estimated model: the share of the policy's visits that rest on rewards that nobody saw.
        """

    @property
    def caveats(self) -> list[str]:
        """What the policy rests on under an estimated model, a sentence each."""

    @property
    def outcome(self) -> str:
        """found, none or undecided."""

    @property
    def stopped_by(self) -> str:
        """finished, time, iterations, requested or numerical."""

    @property
    def found(self) -> bool:
        """Whether there is a policy."""

    @property
    def at_least(self) -> float:
        """What an alternative has to be worth."""

    @property
    def given_value(self) -> float:
        """What the policy given is worth."""

    @property
    def given_disparity(self) -> float:
        """The worst-step disparity of the policy given."""

    @property
    def in_class(self) -> bool:
        """
        Whether the policy given is itself of the class, and keeps the other limits.
        """

    @property
    def none_worth(self) -> bool:
        """
        Proven: no policy of the class is worth `at_least`, whatever its disparity.
        """

    @property
    def least(self) -> Bounds:
        """
        lower <= the least disparity of a policy of the class that is worth `at_least` <= upper.
        """

    @property
    def policy(self) -> Policy:
        """The least disparate policy that was met; it may be the one given."""

    @property
    def value(self) -> float:
        """What it is worth."""

    @property
    def evaluation(self) -> Evaluation:
        """What it does, exactly."""

    @property
    def solves(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    def __repr__(self) -> str: ...

def alternative(model: Model, policy: Policy, at_least: float, question: AlternativeQuestion, progress: Callable[[float, float, int], None] | None) -> Alternative: ...

class StepwiseParity:
    """How far apart groups may be at every step."""

    def __init__(self, *, fairness: str = ..., limit: Sequence[float] = ...) -> None: ...

class StepwiseRatio:
    """How much less any group's rate may be than the greatest."""

    def __init__(self, *, fairness: str = ..., limit: Sequence[float] = ..., reference: int | None = ...) -> None: ...

class LearnOptions:
    """How a policy is learned."""

    def __init__(self, *, fairness: StepwiseParity = ..., ratio: StepwiseRatio | None = ..., rules: PolicyClass = ..., method: str = ..., penalty: float = ..., penalty_form: str = ..., schedule: Sequence[int] = ..., people_per_episode: int = ..., people_by_share: bool = ..., relaxation: str = ..., bonus_scale: float | None = ..., relaxation_scale: float | None = ..., discounted_limits: bool = ..., delta: float = ..., floor: float | None = ..., epsilon: float | None = ..., floor_kind: str = ..., group_independent: bool = ..., unvisited: str = ..., safe: bool = ..., proof: ProofBudget = ..., evaluation_episodes: int = ..., seed: int = ...) -> None: ...

class Measured:
    """An estimate by simulation and its 95 % interval."""

    @property
    def mean(self) -> float: ...

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...

    def __repr__(self) -> str: ...

class Fit:
    """value ~ exp(intercept) k^slope, by least squares on a log-log scale."""

    @property
    def slope(self) -> float: ...

    @property
    def intercept(self) -> float: ...

    @property
    def points(self) -> int: ...

    @property
    def omitted(self) -> list[int]:
        """Episodes of those without a logarithm."""

    def __repr__(self) -> str: ...

class Update:
    """
    One update of the policy in a learning run, judged exactly under the true model.
    """

    @property
    def k(self) -> int:
        """The episode."""

    @property
    def value(self) -> float:
        """Expected total reward under the true model."""

    @property
    def violation(self) -> float:
        """Step-average gap of the notion in force, under the true model."""

    @property
    def reward_regret(self) -> float:
        """(value of the best fair policy - value) / H."""

    @property
    def reward_regret_bound(self) -> float:
        """
        The same against what was proven of the best: the regret is at most this.
        """

    @property
    def gap(self) -> dict[str, numpy.typing.NDArray[numpy.float64]]:
        """By notion, [h], under the true model."""

    @property
    def ratio(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """The least ratio under the true model, [h], if one is limited."""

    @property
    def limit(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """The limit asked for, [h]."""

    @property
    def relaxation(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """What was allowed on top, [h]."""

    @property
    def vacuous(self) -> list[int]:
        """Steps at which that is 1 or more."""

    @property
    def estimated_gap(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """Under the estimate, [h]."""

    @property
    def bonus_max(self) -> float: ...

    @property
    def floor(self) -> float: ...

    @property
    def epsilon(self) -> float: ...

    @property
    def unvisited(self) -> int:
        """Cells whose row is the rule's."""

    @property
    def lower(self) -> float:
        """Bounds on the program's optimum: estimated rewards and bonus."""

    @property
    def upper(self) -> float: ...

    @property
    def gap_to_bound(self) -> float: ...

    @property
    def outcome(self) -> str: ...

    @property
    def stopped_by(self) -> str: ...

    @property
    def measured_value(self) -> Measured | None:
        """By simulated people."""

    @property
    def measured_violation(self) -> Measured | None:
        """By simulated people."""

    @property
    def safe(self) -> dict[str, Any] | None:
        """With `safe`: fallback, mixed, doubt_scale and worst_gap [h]."""

    @property
    def policy(self) -> Policy:
        """What was decided."""

    def __repr__(self) -> str: ...

class Run:
    """
    A learning run: its updates, and the best fair policy that it is measured against.
    """

    @property
    def updates(self) -> list[Update]: ...

    @property
    def finished(self) -> bool: ...

    @property
    def groups(self) -> list[str]: ...

    @property
    def fairness(self) -> str: ...

    @property
    def relaxation(self) -> str: ...

    @property
    def oracle_outcome(self) -> str:
        """How the search for the best fair policy on the true model ended."""

    @property
    def oracle_lower(self) -> float:
        """Its value."""

    @property
    def oracle_upper(self) -> float:
        """No fair policy is worth more than this."""

    @property
    def regret_fit(self) -> Fit: ...

    @property
    def violation_fit(self) -> Fit: ...

    @property
    def rests_on(self) -> Grounds | None:
        """
        What the model rests on, if it is an estimate: then the people were drawn from it, and nobody was seen.
        """

    @property
    def policy(self) -> Policy:
        """That of the last update."""

    def to_frame(self) -> pandas.DataFrame:
        """
        A table with a row for each update: k, value, violation, reward_regret and more.
        """

    def __repr__(self) -> str: ...

def parse_schedule(text: str) -> list[int] | None: ...

def learn(model: Model, options: LearnOptions, by_person: bool, folder: str | os.PathLike | None, restart: bool, progress: Callable[[int, int, float, float], None] | None) -> Run: ...

class GapBounds:
    """A gap for each step, by notion; empty for one not asked for."""

    @property
    def dp(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """[h]"""

    @property
    def eqopt(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """[h]"""

    @property
    def eqodds(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """[h]"""

    @property
    def worst(self) -> float:
        """The largest of all."""

    def __repr__(self) -> str: ...

class Plan:
    """How many more people it takes until a certificate reaches a limit."""

    @property
    def target(self) -> float:
        """The limit."""

    @property
    def outcome(self) -> str:
        """
        reached, possible (with `scale` times the people), too_far (the estimated gap itself is wider), unseen (cells that the policy may meet have never been seen), left_out (the share of rows that are left out of the counts is too large) or unfinished (the time was up; not_enough and enough are what was settled).
        """

    @property
    def not_enough(self) -> int | None:
        """The most times the counts that were shown not to reach the limit."""

    @property
    def enough(self) -> int | None:
        """The fewest times the counts that were shown to reach the limit."""

    @property
    def scale(self) -> float:
        """Of all counts, about."""

    @property
    def more_people(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', writable=False)]:
        """[g]"""

    @property
    def rows(self) -> list[dict[str, Any]]:
        """
        Where the doubt comes from, most first: group, cell (x, y, a; None: the first state), seen, more, doubt; and the period, if there are any.
        """

    def __repr__(self) -> str: ...

class Certificate:
    """
    What data prove about a policy: with probability 1 - delta over the data, the gaps are at most `gap` at every step and the value is at least `value`, under the true population.

    `save` writes everything that is needed to check it; `check` does so.
    """

    @property
    def groups(self) -> list[str]:
        """Names of the groups, [g]."""

    @property
    def delta(self) -> float:
        """All statements hold together with probability 1 - delta."""

    @property
    def followed(self) -> bool:
        """
        Whether the people counted are said to have followed this very policy, fixed before the data.
        """

    @property
    def fairness(self) -> list[str]:
        """The notions that it is about."""

    @property
    def gap(self) -> GapBounds:
        """The gap between any two groups is at most this."""

    @property
    def estimated_gap(self) -> GapBounds:
        """The same under the estimated model."""

    @property
    def reference(self) -> str | None:
        """The group that `ratio` is beside; None: whichever is treated best."""

    @property
    def ratio(self) -> dict[str, numpy.typing.NDArray[numpy.float64]]:
        """
        Of each ratio asked for, [h]: no group's rate is less than that times the reference's, or the greatest of all; nan where that may be 0.
        """

    @property
    def estimated_ratio(self) -> dict[str, numpy.typing.NDArray[numpy.float64]]:
        """The same under the estimated model."""

    @property
    def aggregate_dp(self) -> float | None:
        """
        Over all steps together the gap between accepted shares is at most this; None if it was not asked for.
        """

    @property
    def value(self) -> float | None:
        """At least this; None if nothing is known about rewards."""

    @property
    def estimated_value(self) -> float | None: ...

    @property
    def bound_by(self) -> dict[str, list[str]] | None:
        """
        Which bound was the narrower one, step by step for each notion, and for the value: split or worst-case. None without a design part.
        """

    @property
    def refused(self) -> str | None:
        """
        What is assumed of labels that were not seen, where labels follow features; otherwise None.
        """

    @property
    def doubts_of_features(self) -> list[str]:
        """
        Where labels follow features, what the log says against it: sentences; none if nothing does.
        """

    @property
    def gap_if_refused(self) -> dict[str, GapBounds]:
        """
        Where labels follow features: `gap` of the notions given a label under each rule for labels that were not seen.
        """

    @property
    def break_even(self) -> str | None:
        """
        The weakest such rule under which `limit` is proven; None if it is not even if labels not seen are like those seen, or without a limit.
        """

    @property
    def gap_if_nothing_lost(self) -> GapBounds | None:
        """
        What `gap` would be had no row been left out of the counts: the difference is what they cost. None if none was.
        """

    @property
    def value_if_nothing_lost(self) -> float | None:
        """What `value` would be."""

    def rate_bounds(self, rate: str) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]] | None:
        """
        Of accept, tpr, fpr or qualified: the least, the greatest and the estimate, [g,h] each; None if the notions asked for do not need it.
        """

    @property
    def assumptions(self) -> list[str]:
        """What must be true of the data, a sentence each."""

    @property
    def plan(self) -> Plan | None:
        """How many more people it takes, if asked for."""

    def to_json(self) -> str:
        """
        The certificate as a document, which `fairstep.check` and other checkers read.
        """

    def save(self, path: str | os.PathLike) -> None:
        """Writes the document."""

    def check(self) -> CheckReport:
        """
        Computes everything in it again, by other code and with directed rounding.
        """

    def to_frame(self) -> pandas.DataFrame:
        """A table with columns step, fairness, gap (at most) and estimated_gap."""

    def __repr__(self) -> str: ...

class Mismatch:
    """Something in a certificate that is not so."""

    @property
    def pointer(self) -> str:
        """JSON pointer to the number."""

    @property
    def found(self) -> str:
        """What stands there."""

    @property
    def expected(self) -> str:
        """What would be right."""

    def __repr__(self) -> str: ...

class CheckReport:
    """Whether a certificate is true to its own data."""

    @property
    def holds(self) -> bool:
        """Whether everything is so."""

    def __bool__(self) -> bool: ...

    @property
    def mismatches(self) -> list[Mismatch]:
        """What is not."""

    @property
    def compared(self) -> int:
        """
        Numbers and texts that were derived again; a diagnosis of the data is not.
        """

    def __repr__(self) -> str: ...

def check_certificate(text: str, file: str) -> CheckReport: ...

def read_text(path: str | os.PathLike) -> str: ...

class CertifyQuestion:
    """What is to be certified."""

    def __init__(self, *, fairness: Sequence[str] = ..., delta: float = ..., followed: bool = ..., reward_range: tuple[float, float] | None = ..., discount: float = ..., plan: float | None = ..., refused: str | None = ..., limit: float | None = ..., ratios: Sequence[str] = ..., reference: str | None = ..., aggregate_dp: bool = ...) -> None: ...

def certify(counts: Counts, policy: Policy, question: CertifyQuestion, model: Model | None, design: Counts | None, time_limit: float | None, progress: Callable[[float], None] | None) -> Certificate: ...

class CountOptions:
    def __init__(self) -> None: ...

    @property
    def columns(self) -> list[tuple[str, str]]: ...

    @columns.setter
    def columns(self, arg: Sequence[tuple[str, str]], /) -> None: ...

    @property
    def bins(self) -> list[float]: ...

    @bins.setter
    def bins(self, arg: Sequence[float], /) -> None: ...

    @property
    def groups(self) -> list[str]: ...

    @groups.setter
    def groups(self, arg: Sequence[str], /) -> None: ...

    @property
    def excluded_groups(self) -> list[str]: ...

    @excluded_groups.setter
    def excluded_groups(self, arg: Sequence[str], /) -> None: ...

    @property
    def features(self) -> list[str]: ...

    @features.setter
    def features(self, arg: Sequence[str], /) -> None: ...

    @property
    def labels(self) -> list[str]: ...

    @labels.setter
    def labels(self, arg: Sequence[str], /) -> None: ...

    @property
    def actions(self) -> list[str]: ...

    @actions.setter
    def actions(self, arg: Sequence[str], /) -> None: ...

    @property
    def allow_loss(self) -> bool: ...

    @allow_loss.setter
    def allow_loss(self, arg: bool, /) -> None: ...

    @property
    def groups_may_be_empty(self) -> bool: ...

    @groups_may_be_empty.setter
    def groups_may_be_empty(self, arg: bool, /) -> None: ...

    @property
    def first_step(self) -> int | None: ...

    @first_step.setter
    def first_step(self, arg: int | None, /) -> None: ...

    @property
    def horizon(self) -> int | None: ...

    @horizon.setter
    def horizon(self, arg: int | None, /) -> None: ...

    def set_kernel(self, kernel: str | Sequence[tuple[str, int]]) -> None: ...

    def set_censored(self, censored: str) -> None: ...

    @overload
    def take_names(self, like: Model) -> None: ...

    @overload
    def take_names(self, like: Counts) -> None: ...

    def set_window(self, text: str) -> None: ...

    def set_weight(self, column: str, largest: float) -> None: ...

    def set_delimiter(self, delimiter: str) -> None: ...

    def set_encoding(self, encoding: str) -> None: ...

    def add_bins(self, column: str, edges: Sequence[float]) -> None: ...

    @property
    def named_bins(self) -> list[tuple[str, list[float]]]: ...

    @named_bins.setter
    def named_bins(self, arg: Sequence[tuple[str, Sequence[float]]], /) -> None: ...

    def set_query(self, query: str) -> None: ...

    def add_recode(self, column: str, values: Mapping[str, str], other: str | None) -> None: ...

    def add_recode_text(self, text: str) -> None: ...

    def add_wide(self, from_columns: Sequence[str], column: str) -> None: ...

    def add_wide_text(self, text: str) -> None: ...

    def set_step(self, column: str, every: str) -> None: ...

    def set_missing(self, texts: Sequence[str]) -> None: ...

    @property
    def threads(self) -> int: ...

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

    @property
    def memory_bytes(self) -> int: ...

    @memory_bytes.setter
    def memory_bytes(self, arg: int, /) -> None: ...

    @property
    def temporary_directory(self) -> pathlib.Path: ...

    @temporary_directory.setter
    def temporary_directory(self, arg: str | os.PathLike, /) -> None: ...

def count_log(patterns: Sequence[str], options: CountOptions, time_limit: float | None) -> Counts: ...

class DecisionWeights:
    """Sums of the weights of a log's decisions, for an audit of the log."""

def weigh_log(patterns: Sequence[str], options: CountOptions, time_limit: float | None) -> tuple[Counts, DecisionWeights]: ...

def weigh_frame(data: object, options: CountOptions, time_limit: float | None) -> tuple[Counts, DecisionWeights]: ...

def split_log(patterns: Sequence[str], split: tuple[float, int], options: CountOptions, time_limit: float | None) -> tuple[Counts, Counts]: ...

def count_frame(data: object, options: CountOptions, time_limit: float | None) -> Counts: ...

def split_frame(data: object, split: tuple[float, int], options: CountOptions, time_limit: float | None) -> tuple[Counts, Counts]: ...

class PartedLog:
    def __init__(self, files: Sequence[str], columns: Sequence[tuple[str, str]], malformed: int, file: int, line: int, split: tuple[float, int] | None = None) -> None: ...

def asked_columns(columns: Sequence[str], file: str, options: CountOptions) -> tuple[list[str], list[str], list[tuple[str, str]]]: ...

def delimiter_of(file: str, encoding: str) -> str: ...

def count_part(data: object, options: CountOptions, place: str, shares: bytes, split: tuple[float, int] | None = None) -> bytes: ...

def label_shares(parts: Sequence[bytes], log: PartedLog, options: CountOptions) -> bytes: ...

def join_parts(parts: Sequence[bytes], log: PartedLog, options: CountOptions) -> Counts: ...

def join_split_parts(parts: Sequence[bytes], log: PartedLog, options: CountOptions) -> tuple[Counts, Counts]: ...

class ExperimentCell:
    """
    What came out in one cell of the grid, at the last update of each repeat.
    """

    @property
    def environment(self) -> str: ...

    @property
    def fairness(self) -> str: ...

    @property
    def method(self) -> str: ...

    @property
    def value(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """Of finished repeats, [r]."""

    @property
    def violation(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', writable=False)]:
        """Step-average gap of finished repeats, [r]."""

    def __repr__(self) -> str: ...

class ExperimentSummary:
    """What came out of an experiment; its folder has everything."""

    @property
    def name(self) -> str: ...

    @property
    def finished(self) -> bool:
        """Whether all runs were made."""

    @property
    def runs(self) -> int:
        """Of the grid."""

    @property
    def runs_finished(self) -> int: ...

    @property
    def runs_resumed(self) -> int:
        """Finished before this call."""

    @property
    def solves(self) -> int:
        """Updates of all runs."""

    @property
    def solves_made(self) -> int:
        """In this call."""

    @property
    def certified(self) -> int:
        """Solves that are proven to the gap."""

    @property
    def cut_by_time(self) -> int:
        """Solves that the time limit ended."""

    @property
    def worst_gap(self) -> float:
        """Of all solves; infinite if one has no bound."""

    @property
    def seconds(self) -> float:
        """Of this call."""

    @property
    def cells(self) -> list[ExperimentCell]:
        """A result for each environment, notion and method."""

    def to_frame(self) -> pandas.DataFrame:
        """
        A table with a row for each run: environment, fairness, method, repeat, value and violation.
        """

    def __repr__(self) -> str: ...

def planned_runs(file: str | os.PathLike) -> list[str]: ...

def experiment(file: str | os.PathLike, folder: str | os.PathLike, threads: int, restart: bool, only: Sequence[str], progress: Callable[[int, int, float, str], None] | None) -> ExperimentSummary: ...

class ReportFinding:
    """A claim as it was judged in one setting."""

    @property
    def setting(self) -> str: ...

    @property
    def ruling(self) -> str:
        """holds, a tie, undecided, or does not hold."""

    @property
    def evidence(self) -> str:
        """The numbers behind it, in words."""

    def __repr__(self) -> str: ...

class ReportVerdict:
    """A claim of the paper, judged by a stated rule."""

    @property
    def id(self) -> str: ...

    @property
    def claim(self) -> str: ...

    @property
    def rule(self) -> str: ...

    @property
    def ruling(self) -> str:
        """Over all settings."""

    @property
    def findings(self) -> list[ReportFinding]:
        """In each setting."""

    def __repr__(self) -> str: ...

class Report:
    """
    One HTML file about an experiment that needs nothing else, and its verdicts.
    """

    @property
    def name(self) -> str:
        """Of the experiment."""

    @property
    def html(self) -> str:
        """The page."""

    @property
    def runs(self) -> int:
        """Finished ones."""

    @property
    def missing(self) -> int:
        """Those that are not."""

    @property
    def figures(self) -> int: ...

    @property
    def summary(self) -> list[str]:
        """Its sentences."""

    @property
    def verdicts(self) -> list[ReportVerdict]: ...

    def to_markdown(self) -> str:
        """Summary, numbers and verdicts."""

    def save(self, path: str | os.PathLike) -> None:
        """
        Writes the page, or with a name that ends in .md summary, numbers and verdicts.
        """

    def to_frame(self) -> pandas.DataFrame:
        """A table with a row for each claim and setting."""

    def __repr__(self) -> str: ...

def report(folder: str | os.PathLike) -> Report: ...
