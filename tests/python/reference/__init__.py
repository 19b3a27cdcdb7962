"""The paper's formulas and ours once more, in plain NumPy, for reading and for comparing with the C++.

Written from the paper ("Reinforcement Learning with Stepwise Fairness Constraints") and from docs/guarantees.md, not
from the C++, and short enough to be checked by eye. Nothing here is fast or rounds to the safe side: it says what the
numbers are. NumPy and the standard library are all that it needs.

    population.py    a model: first states, kernel, rewards
    evaluation.py    what a policy does to it, exactly
    estimation.py    counting a log; the estimate; the bonus and the relaxations of the lemmas
    confidence.py    how far a row may be from its estimate
    doubt.py         drift: the relaxation and the bonus of `tight`
    certificate.py   the worst case over everything that the data allow

Arrays have the axes [g,h,s,a] with states s = (x,y) numbered 2x + y, so that s // 2 is the feature and s % 2 the label.
"""
