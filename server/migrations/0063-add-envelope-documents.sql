-- Several documents in one envelope and in one template. A document is numbered from 1. An envelope with several documents gets a further
-- row with the number 0 when it is sent: all of them combined, which is what everyone sees and signs.
alter table documents
  add column document_id text collate "C",
  add column document_no integer not null default 1 check (document_no >= 0),
  -- where the document begins in what was sent; null before
  add column first_page integer,
  -- made by the service for signers without a field of their own; the last one
  add column is_signature_page boolean not null default false;
-- An id for documents from before they had ids. The audit trail does not name it.
update documents set document_id = 'doc_0' || left(md5(org_id || ' ' || envelope_id), 25);
update documents d set first_page = 1
  from envelopes e where e.org_id = d.org_id and e.envelope_id = d.envelope_id and e.submission_id is not null;
-- Deferrable, because documents that change places have the same number for a moment within one statement.
alter table documents
  alter column document_id set not null,
  drop constraint documents_pkey,
  add primary key (org_id, envelope_id, document_no) deferrable;
create unique index documents_by_id on documents (org_id, document_id);
grant update (name, path, content_type, hash, size, roles, received_marks, document_no, first_page) on documents to countersign_app;
grant delete on documents to countersign_app;

-- 0: the whole envelope. A part is one document of several, stamped and sealed on its own.
alter table document_versions
  add column document_no integer not null default 0 check (document_no >= 0),
  drop constraint document_versions_kind_check,
  add constraint document_versions_kind_check
    check (kind in ('received', 'stored', 'prepared', 'stamped', 'signed', 'authoritative', 'part'));
update document_versions set document_no = 1 where kind in ('received', 'stored');
alter table document_versions
  drop constraint document_versions_pkey,
  add primary key (org_id, envelope_id, document_no, kind);
-- Only the versions of a draft's documents change places or go. Everything else stays as it was recorded.
grant update (document_no), delete on document_versions to countersign_app;
create policy drafts_move on document_versions as restrictive for update using (kind in ('received', 'stored'));
create policy drafts_go on document_versions as restrictive for delete using (kind in ('received', 'stored'));

grant update (document_no, areas, anchor_match, position) on envelope_fields to countersign_app;

create table template_documents (
  org_id text collate "C" not null,
  template_id text collate "C" not null,
  document_no integer not null check (document_no >= 1),
  document_id text collate "C" not null,
  name text not null,
  -- null once the document was erased
  pdf_sha256 text collate "C",
  -- [{ w_pt, h_pt, rotate, has_text, scan_dpi }], in order
  pages jsonb not null,
  primary key (org_id, template_id, document_no) deferrable,
  foreign key (org_id, template_id) references templates,
  foreign key (org_id, pdf_sha256) references blobs (org_id, sha256)
);
create unique index template_documents_by_id on template_documents (org_id, document_id);
insert into template_documents (org_id, template_id, document_no, document_id, name, pdf_sha256, pages)
  select org_id, template_id, 1, 'doc_0' || left(md5(org_id || ' ' || template_id), 25), name, document_sha256, pages from templates;
alter table template_documents enable row level security;
create policy own_org on template_documents using (org_id = app_org());
grant select, insert, delete on template_documents to countersign_app;
grant update (document_no, name, pdf_sha256, pages) on template_documents to countersign_app;
grant update (document_no, areas, anchor_match, position) on template_fields to countersign_app;
alter table templates drop column document_sha256, drop column pages;

-- The copy that was handed out is of one document of several; null: of the whole envelope.
alter table copy_issues add column document_no integer;
