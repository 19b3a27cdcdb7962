"""Populations as Gymnasium environments, so that any agent can be compared with us on the same dynamics.

    import gymnasium
    import fairstep.gymnasium  # registers the names

    env = gymnasium.make("fairstep/Fico-v0")
    envs = gymnasium.make_vec("fairstep/Fico-v0", num_envs=10_000)
    mine = gymnasium.make("fairstep/Model-v0", model="model.json")

An episode is one person. What is seen of them is (group, step, feature), the label is hidden; see `PopulationEnv`.
"""

try:
    import gymnasium as _gymnasium
except ImportError as error:
    raise ImportError("fairstep.gymnasium needs the package gymnasium: pip install gymnasium") from error

from fairstep.gymnasium.environment import PopulationEnv
from fairstep.gymnasium.rollout import policy_of, rollout
from fairstep.gymnasium.vector import PopulationVectorEnv

__all__ = ["PopulationEnv", "PopulationVectorEnv", "policy_of", "rollout"]

_NAMES = {"Fico": "fico", "Synthetic": "synthetic", "Lending": "lending", "Random": "random", "Model": None}

for _name, _world in _NAMES.items():
    _gymnasium.register(
        id=f"fairstep/{_name}-v0",
        entry_point="fairstep.gymnasium.environment:PopulationEnv",
        vector_entry_point="fairstep.gymnasium.vector:PopulationVectorEnv",
        kwargs={} if _world is None else {"model": _world},
    )
