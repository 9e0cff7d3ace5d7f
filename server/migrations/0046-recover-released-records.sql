-- A released record whose receiver is gone for good is taken back by the act recover. disputed: the receiver signed afterwards that it has it.
alter table vault_transfers drop constraint vault_transfers_state_check;
alter table vault_transfers add constraint vault_transfers_state_check check (state in ('offered', 'accepted', 'packed', 'ready', 'released',
  'done', 'confirmed', 'cancelled', 'refused', 'recovered', 'disputed'));
