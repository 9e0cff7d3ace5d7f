import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { databaseUrl, withClient } from "../../test/global-setup.ts";
import { migrate, readMigrations } from "../db/migrate.ts";
import { isId } from "../shared/ids.ts";

const name = `test_${randomBytes(6).toString("hex")}`;
let url: string;
const [ONE, TWO] = ["a".repeat(64), "b".repeat(64)];

beforeAll(async () => {
  await withClient(inject("adminUrl"), (client) => client.query(`create database ${name}`));
  url = databaseUrl(inject("adminUrl"), name);
});
afterAll(() => withClient(inject("adminUrl"), (client) => client.query(`drop database if exists ${name} with (force)`)));

test("documents from before get ids and numbers, versions the number of what they are about, and templates keep their document", async () => {
  const all = await readMigrations();
  const before = all.findIndex((one) => one.name.endsWith("-add-envelope-documents.sql"));
  await migrate(url, all.slice(0, before));
  await withClient(url, async (client) => {
    await client.query("insert into orgs (org_id, name) values ('org_a', 'Example')");
    await client.query("insert into blobs (org_id, sha256, size, kept) values ('org_a', $1, 1, true), ('org_a', $2, 1, true)", [ONE, TWO]);
    for (const [id, status, submission] of [
      ["env_draft", "uploaded", null],
      ["env_sent", "sent", "sub_a"],
    ]) {
      await client.query(
        "insert into envelopes (org_id, envelope_id, envelope_name, status, submission_id) values ('org_a', $1, 'Lease', $2, $3)",
        [id, status, submission],
      );
      await client.query(
        `insert into documents (org_id, envelope_id, name, path, content_type, hash, size, pdf_sha256, pages, roles)
         values ('org_a', $1, 'Lease', 'x', 'application/pdf', $2, 1, $2, '[{}]', '{}')`,
        [id, ONE],
      );
    }
    for (const kind of ["received", "stored", "prepared", "stamped"]) {
      await client.query(
        "insert into document_versions (org_id, envelope_id, kind, sha256, size) values ('org_a', 'env_sent', $1, $2, 1)",
        [kind, ONE],
      );
    }
    await client.query(
      `insert into templates (org_id, template_id, name, document_sha256, pages, provider, created_by)
       values ('org_a', 'tmpl_a', 'Sale', $1, '[{}, {}]', 'builtin', 'usr_a'), ('org_a', 'tmpl_b', 'Gone', null, '[]', 'builtin', 'usr_a')`,
      [TWO],
    );
  });
  await migrate(url, all);
  await withClient(url, async (client) => {
    const documents = await client.query<{ document_id: string }>(
      "select envelope_id, document_id, document_no, first_page, is_signature_page from documents order by envelope_id",
    );
    expect(documents.rows.map(({ document_id: _id, ...row }) => row)).toEqual([
      { envelope_id: "env_draft", document_no: 1, first_page: null, is_signature_page: false },
      { envelope_id: "env_sent", document_no: 1, first_page: 1, is_signature_page: false },
    ]);
    const versions = await client.query("select kind, document_no from document_versions order by kind");
    expect(versions.rows).toEqual([
      { kind: "prepared", document_no: 0 },
      { kind: "received", document_no: 1 },
      { kind: "stamped", document_no: 0 },
      { kind: "stored", document_no: 1 },
    ]);
    const templates = await client.query<{ document_id: string }>(
      "select template_id, document_id, document_no, name, pdf_sha256, jsonb_array_length(pages) as pages from template_documents order by 1",
    );
    expect(templates.rows.map(({ document_id: _id, ...row }) => row)).toEqual([
      { template_id: "tmpl_a", document_no: 1, name: "Sale", pdf_sha256: TWO, pages: 2 },
      { template_id: "tmpl_b", document_no: 1, name: "Gone", pdf_sha256: null, pages: 0 },
    ]);
    const ids = [...documents.rows, ...templates.rows].map(({ document_id }) => document_id);
    expect(ids.every((id) => isId("document", id))).toBe(true);
    expect(new Set(ids).size).toBe(4);
  });
});
