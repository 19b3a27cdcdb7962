"""What data prove about a policy."""

from __future__ import annotations

import os
from collections.abc import Sequence

from fairstep import _core
from fairstep._core import Certificate, CheckReport, Counts, Model, Policy
from fairstep._plainly import plainly
from fairstep._progress import CertifyProgress, Progress, shown
from fairstep._words import check_time_limit, notions_and_ratios, refused_rule, warn_of_features


@plainly
def certify(
    counts: Counts,
    policy: Policy,
    *,
    design: Counts | None = None,
    delta: float = 0.05,
    fairness: str | Sequence[str] = ("dp", "eqopt", "eqodds"),
    followed: bool = False,
    model: Model | None = None,
    reward_range: tuple[float, float] | None = None,
    discount: float | None = None,
    labels: str = "as-seen",
    refused: str | None = None,
    limit: float | None = None,
    reference: str | None = None,
    aggregate_dp: bool = False,
    plan: float | None = None,
    time_limit: float | None = None,
    progress: Progress[CertifyProgress] = None,
) -> Certificate:
    """What data prove about a policy: with probability 1 - delta, gaps at most, value at least.

    It does not matter which policies the people counted were treated by, or how the policy was chosen, unless they are
    said to have `followed` it. It holds whatever rows that were left out of the counts would have said.

    Ctrl-C stops it.

    Raises:
        TimeoutError: if there was no certificate within the time limit.

    Args:
        counts: the data.
        policy: what is judged.
        design: the design part, if `counts` are the audit part of a split: bounds are several times as narrow, for a
            policy that was made without the audit part.
        delta: all statements hold together with probability 1 - delta.
        fairness: the notions to certify, and ratios (`"dp-ratio"`, `"eqopt-ratio"`), which come with the gaps that they
            follow from.
        followed: the people counted are independent and followed this very policy at every step. It was fixed before
            the data, as was their number: of a policy that these data chose (the best of several, say) nothing is
            proven this way.
        model: with the known rewards, shares and discount: then the value is bounded, too.
        reward_range: or rewards are those counted, each between these two.
        discount: with `reward_range`: step h counts discount^h; left out: 1.
        labels: `"follow-features"`: given all that happened before, labels depend on group and feature alone. Then
            those of the refused need not have been seen. It goes with no design part, followers, rewards or plan.
        refused: with that, what is assumed of those whose label was not seen: `"like-accepted"`, which is what None
            stands for, `"odds=2"` or `"anything"`.
        limit: with that, up to which odds every gap is at most this: `Certificate.break_even`.
        reference: for a ratio, the group that others are measured by; None: whichever is treated best.
        aggregate_dp: bound the gap between accepted shares over the whole episode as well.
        plan: how many more people it takes until every gap is at most this; in `Certificate.plan`.
        time_limit: seconds; a plan that is not ready by then is unfinished.
        progress: as in `solve`; a function gets `CertifyProgress`.

    Example:
        >>> c = fairstep.certify(counts, policy, model=m)
        >>> c.gap.dp.max(), c.value, c.check()
    """
    if model is not None and reward_range is not None:
        raise ValueError("model and reward_range are both given, expected one of them")
    if discount is not None and reward_range is None:
        raise ValueError("discount is given without reward_range; a model has a discount of its own")
    if discount is not None and not 0 <= discount <= 1:
        raise ValueError(f"discount is {discount}, expected 0 to 1")
    if plan is not None and not 0 <= plan <= 1:
        raise ValueError(f"plan is {plan}, expected 0 to 1")
    rule = refused_rule(labels, refused)
    if limit is not None and rule is None:
        raise ValueError('limit is given without labels="follow-features"')
    if limit is not None and not 0 <= limit <= 1:
        raise ValueError(f"limit is {limit}, expected 0 to 1")
    if plan is not None and rule is not None:
        raise ValueError('labels is "follow-features" and plan is given, expected one of them')
    check_time_limit(time_limit)
    notions, ratios = notions_and_ratios(fairness)
    if aggregate_dp and "dp" not in notions:
        notions = ["dp", *notions]
    with shown(progress, "certify", 100, "%") as tell:
        certificate = _core.certify(
            counts,
            policy,
            _core.CertifyQuestion(
                fairness=notions,
                delta=delta,
                followed=followed,
                reward_range=reward_range,
                discount=1.0 if discount is None else discount,
                plan=plan,
                refused=rule,
                limit=limit,
                ratios=ratios,
                reference=reference,
                aggregate_dp=aggregate_dp,
            ),
            model,
            design,
            time_limit,
            tell and (lambda share: tell(CertifyProgress(share))),
        )
    warn_of_features(certificate.doubts_of_features, stacklevel=3)  # the user, past `plainly`
    return certificate


@plainly
def check(certificate: Certificate | str | os.PathLike[str]) -> CheckReport:
    """Whether a certificate is true to its own data: everything in it is computed again and compared.

    The checker shares no code with what made the certificate, and rounds every operation to the unfavourable side.

    Args:
        certificate: a certificate, or the file of one.
    """
    if isinstance(certificate, Certificate):
        return _core.check_certificate(certificate.to_json(), "")
    path = os.fspath(certificate)
    return _core.check_certificate(_core.read_text(path), path)
