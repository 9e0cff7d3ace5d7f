-- Every text that people were ever asked to accept, so that evidence shows it after a newer version was published. Each start inserts the
-- files of server/texts/. The texts belong to the installation and are public: so there is no org and no policy. Nothing here is ever
-- changed or deleted.

create table published_texts (
  sha256 text collate "C" primary key,
  kind text collate "C" not null check (kind in ('disclosure', 'intent', 'terms', 'agreement', 'act')),
  version text collate "C" not null,
  locale text collate "C" not null,
  text text not null,
  published_at timestamptz not null default clock_timestamp(),
  -- Consents and signatures name a text by its hash, so a row with other bytes would be the wrong text for them.
  check (sha256 = encode(sha256(convert_to(text, 'UTF8')), 'hex'))
);

grant select, insert (sha256, kind, version, locale, text) on published_texts to countersign_app;
