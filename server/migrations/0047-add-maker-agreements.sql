-- Makers of a transferable record agree, before they sign, that it is one.
alter table envelopes add column maker_roles text[] not null default '{}';
grant update (maker_roles) on envelopes to countersign_app;
alter table templates add column maker_roles text[] not null default '{}';

create table maker_agreements (
  org_id text collate "C" not null,
  slug text collate "C" not null,
  envelope_id text collate "C" not null,
  session text collate "C" not null,
  agreement_version text not null,
  agreement_locale text not null,
  agreement_sha256 text collate "C" not null,
  accepted_at timestamptz not null default clock_timestamp(),
  primary key (org_id, slug),
  foreign key (org_id, slug) references signers (org_id, slug) on update cascade,
  foreign key (org_id, envelope_id) references envelopes
);
create index agreements_of_envelope on maker_agreements (org_id, envelope_id);

alter table maker_agreements enable row level security;
create policy own_org on maker_agreements using (org_id = app_org());
grant select, insert on maker_agreements to countersign_app;
