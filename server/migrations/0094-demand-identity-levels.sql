-- How well recipients must prove who they are, whatever the sender asks for (accounts.md, section 7).
alter table org_security
  -- of envelopes that are sent from now on; 0: nothing
  add column min_identity_level integer not null default 0 check (min_identity_level between 0 and 2),
  -- whether people with a token of the organization's own application are asked too
  add column embed_identity text not null default 'partner' check (embed_identity in ('partner', 'same'));
grant update (min_identity_level, embed_identity) on org_security to countersign_app;

-- Added by the organization's minimum, and not asked of a person whom its own application brings with a token.
alter table identity_requirements add column links_only boolean not null default false;
