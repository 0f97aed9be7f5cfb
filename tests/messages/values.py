"""Any value of the core, for hypothesis."""

from __future__ import annotations

from typing import get_args

from hypothesis import strategies as st

from table_controller.laws.call import ALL_BIDS, Bid
from table_controller.laws.card import ALL_CARDS, Card
from table_controller.screen.effects import Effect
from table_controller.screen.events import Event

st.register_type_strategy(Bid, st.sampled_from(ALL_BIDS))
st.register_type_strategy(Card, st.sampled_from(ALL_CARDS))
st.register_type_strategy(int, st.integers(min_value=-(1 << 62), max_value=1 << 62))
st.register_type_strategy(str, st.text(max_size=20).filter(lambda text: "\ud800" not in text))

EVENT_TYPES: tuple[type, ...] = get_args(Event)
EFFECT_TYPES: tuple[type, ...] = get_args(Effect)
