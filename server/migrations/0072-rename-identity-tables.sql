-- Identity questions become one of several ways in which a signer proves who they are. Challenges and results keep their rows.
alter table kba_challenges rename to identity_challenges;
alter index kba_challenges_pkey rename to identity_challenges_pkey;
alter index kba_challenges_of_session rename to identity_challenges_of_session;
alter table identity_challenges rename constraint kba_challenges_org_id_slug_fkey to identity_challenges_org_id_slug_fkey;

alter table kba_results rename to identity_results;
alter index kba_results_pkey rename to identity_results_pkey;
alter index kba_results_of_signer rename to identity_results_of_signer;
alter table identity_results rename constraint kba_results_org_id_challenge_id_fkey to identity_results_org_id_challenge_id_fkey;
