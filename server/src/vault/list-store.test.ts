import { beforeAll, describe, expect, test } from "vitest";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { type Vaulted, vaultedCopies } from "../../test/vaulted.ts";
import { writeWords } from "../envelopes/words-store.ts";
import type { EnvelopeId } from "../shared/ids.ts";

const service = testService();
let org: TestOrg;
let key: TestKey;
/** oldest first */
let copies: Vaulted[];
beforeAll(async () => {
  org = await service.newOrg();
  key = await org.newKey({ scopes: ["vault:read"] });
  copies = await vaultedCopies(service, org, 5);
});

const list = async (query = "") => (await key.send("GET", `/partner/vault${query}`)).json;
const idsOf = async (query: string) => (await list(query)).data.map(({ envelope_id }: { envelope_id: string }) => envelope_id);
const change = (text: string, ...values: unknown[]) => service.database.owner(text, values);

describe("GET /partner/vault", () => {
  test("lists vaulted envelopes with score and state, newest first, page by page", async () => {
    const newest = copies.map(({ envelope_id }) => envelope_id).reverse();
    const { data, meta } = await list("?limit=2");
    expect(meta).toEqual({ page: 1, limit: 2, total: 5 });
    expect(data[0]).toEqual({
      envelope_id: newest[0],
      envelope_name: "Contract",
      customer_id: null,
      external_id: null,
      state: "active",
      source: null,
      signed_here: true,
      score: 87,
      passed: false,
      rules: 1,
      proven_score: null,
      standing: "not_assessed",
      stored_at: expect.any(String),
      retention_until: expect.any(String),
      verified_at: null,
    });
    const pages = await Promise.all([1, 2, 3, 4].map((page) => idsOf(`?limit=2&page=${page}`)));
    expect(pages.flat(), "the pages together are the list").toEqual(newest);
    expect(pages.at(-1)).toEqual([]);
  });

  test("shows the latest certificate, and omits a copy that has none yet", async () => {
    const [one] = copies as [Vaulted];
    const certify = (revision: number, score: number, envelope_id: string) =>
      change(
        `insert into certificates (org_id, envelope_id, revision, path, facts_sha256, json_sha256, pdf_sha256, score, passed, result, evaluated_at,
           rules, proven_score, standing)
         select org_id, envelope_id, $2, path, facts_sha256, json_sha256, pdf_sha256, $3, $3 = 100, result, now(), 2, 38, 'attested'
         from certificates where envelope_id = $1 limit 1`,
        envelope_id,
        revision,
        score,
      );
    await certify(2, 100, one.envelope_id);
    expect(await idsOf("?passed=true")).toEqual([one.envelope_id]);
    expect(await idsOf("?standing=attested")).toEqual([one.envelope_id]);
    expect((await list("?standing=not_assessed")).meta.total).toBe(4);
    expect((await list("?passed=false")).meta.total).toBe(4);
    const newest = copies.at(-1) ?? expect.fail("no copy");
    await change("update authoritative_copies set score = null, vault_no = null where copy_id = $1", newest.copy_id);
    expect((await list()).meta.total).toBe(4);
    expect((await list("?state=active")).meta.total).toBe(4);
    await certify(2, 87, newest.envelope_id);
    expect(await idsOf("?limit=1"), "its first certificate gives it a number").toEqual([newest.envelope_id]);
  });

  test("numbers vaulted envelopes without gaps, also with concurrent certifications", async () => {
    const busy = await service.newOrg();
    await Promise.all([1, 2, 3, 4].map(() => vaultedCopies(service, busy, 5)));
    const rows = await change("select vault_no from authoritative_copies where org_id = $1 order by 1", busy.org_id);
    expect(rows.map((row) => (row as { vault_no: number }).vault_no)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  test("takes filters, alone and combined; an unknown value is 422", async () => {
    const [, , three, four] = copies as [Vaulted, Vaulted, Vaulted, Vaulted];
    const customer = (await org.admin("POST", "/partner/customers", { body: { name: "Ann" } })).json.data.customer_id;
    await change("update envelopes set customer_id = $2 where envelope_id = any($1)", [three.envelope_id, four.envelope_id], customer);
    await change(
      "update authoritative_copies set source = 'paper_upload', vault_in = 'upload', state = 'exported' where copy_id = $1",
      four.copy_id,
    );
    expect(await idsOf(`?customer_id=${customer}`)).toEqual([four.envelope_id, three.envelope_id]);
    expect(await idsOf(`?customer_id=${customer}&state=active`)).toEqual([three.envelope_id]);
    expect(await idsOf("?source=paper_upload")).toEqual([four.envelope_id]);
    expect(await idsOf("?signed_here=false")).toEqual([four.envelope_id]);
    expect(await idsOf("?state=exported&passed=true")).toEqual([]);
    for (const query of ["?state=lost", "?source=mail", "?signed_here=yes", "?passed=yes", "?q=", `?q=${"x".repeat(201)}`])
      expect([query, (await key.send("GET", `/partner/vault${query}`)).status]).toEqual([query, 422]);
  });

  test("filters by source as in the event: a document that was signed here and deposited manually counts as both", async () => {
    const deposits = await service.newOrg();
    const [automatic, byHand, elsewhere, scanned] = (await vaultedCopies(service, deposits, 4)) as [Vaulted, Vaulted, Vaulted, Vaulted];
    const comesBy = (copy_id: string, source: string, vault_in: string) =>
      change("update authoritative_copies set source = $2, vault_in = $3 where copy_id = $1", copy_id, source, vault_in);
    await comesBy(byHand.copy_id, "signed_here", "signed");
    await comesBy(elsewhere.copy_id, "electronic_signed", "upload");
    await comesBy(scanned.copy_id, "paper_upload", "upload");
    type Row = { readonly envelope_id: string; readonly source: string | null; readonly signed_here: boolean };
    const rows = async (query: string): Promise<Row[]> => (await deposits.admin("GET", `/partner/vault${query}`)).json.data;
    const found = async (query: string) => (await rows(query)).map(({ envelope_id }) => envelope_id);
    expect((await rows("")).map(({ envelope_id, source, signed_here }) => [envelope_id, source, signed_here])).toEqual([
      [scanned.envelope_id, "paper_upload", false],
      [elsewhere.envelope_id, "electronic_signed", false],
      [byHand.envelope_id, "electronic_signed", true],
      [automatic.envelope_id, null, true],
    ]);
    expect(await found("?source=electronic_signed")).toEqual([elsewhere.envelope_id, byHand.envelope_id]);
    expect(await found("?source=electronic_signed&signed_here=false")).toEqual([elsewhere.envelope_id]);
    expect(await found("?signed_here=true")).toEqual([byHand.envelope_id, automatic.envelope_id]);
    expect(await found("?source=signed_here"), "the deprecated form").toEqual([byHand.envelope_id, automatic.envelope_id]);
  });

  test("searches beginnings of words of the envelope, its signers and its tags", async () => {
    const searched = await service.newOrg();
    const [one, two, three] = (await vaultedCopies(service, searched, 3)) as [Vaulted, Vaulted, Vaulted];
    const name = async (envelope_id: EnvelopeId, envelope_name: string, external_id: string | null, signers: object[] = []) => {
      await change(
        "update envelopes set envelope_name = $2, external_id = $3, signers = $4 where envelope_id = $1",
        envelope_id,
        envelope_name,
        external_id,
        JSON.stringify(signers),
      );
      await service.db.tx(searched.org_id, (tx) => writeWords(tx, searched.org_id, envelope_id));
    };
    await name(one.envelope_id, "Lease of 100% ÜBERSEE", null, [{ name: "Kim Novak", email: "kim@example.com", role: "Tenant" }]);
    await name(two.envelope_id, "Loan", "A_17");
    await name(three.envelope_id, "Lease", "AB17");
    await change("insert into tags (org_id, tag_key, name) values ($1, 'urgent', 'Urgent')", searched.org_id);
    await change("insert into envelope_tags (org_id, tag_key, envelope_id) values ($1, 'urgent', $2)", searched.org_id, two.envelope_id);
    const { send } = await searched.newKey({ scopes: ["vault:read"] });
    const find = async (q: string, more = "") => {
      const { json } = await send("GET", `/partner/vault?q=${encodeURIComponent(q)}${more}`);
      const ids = json.data.map(({ envelope_id }: { envelope_id: string }) => envelope_id);
      return { ids, total: json.meta.total };
    };
    expect(await find("lease")).toEqual({ ids: [three.envelope_id, one.envelope_id], total: 2 });
    expect(await find("lease", "&limit=1&page=2")).toEqual({ ids: [one.envelope_id], total: 2 });
    expect(await find("übers lea")).toEqual({ ids: [one.envelope_id], total: 1 });
    expect(await find("a_17"), "the words a and 17").toEqual({ ids: [two.envelope_id], total: 1 });
    expect(await find("ab1")).toEqual({ ids: [three.envelope_id], total: 1 });
    expect(await find("kim@ex")).toEqual({ ids: [one.envelope_id], total: 1 });
    expect(await find("urg")).toEqual({ ids: [two.envelope_id], total: 1 });
    expect(await find("ease"), "not the middle of a word").toEqual({ ids: [], total: 0 });
    for (const q of ["%", "\\", "a b c d e f g h i j k"])
      expect([q, (await send("GET", `/partner/vault?q=${encodeURIComponent(q)}`)).status]).toEqual([q, 422]);
    await change("update authoritative_copies set state = 'exported' where copy_id = $1", three.copy_id);
    expect(await find("lease", "&state=active")).toEqual({ ids: [one.envelope_id], total: 1 });
    await change(
      "insert into backfills (name, org_id) values ('envelope-words', $1) on conflict (name, org_id) do update set done_at = null",
      searched.org_id,
    );
    expect(await find("ease"), "until the words are filled in, as text").toEqual({ ids: [three.envelope_id, one.envelope_id], total: 2 });
  });

  test("a search for frequent words counts up to 10,000, and has no page after them", async () => {
    const large = await service.newOrg();
    const [pattern] = (await vaultedCopies(service, large, 1)) as [Vaulted];
    const columns = await change(
      `select string_agg(column_name, ', ') as names from information_schema.columns
       where table_name = 'authoritative_copies' and is_generated = 'NEVER' and column_name not in ('copy_id', 'envelope_id', 'vault_no', 'verify_code', 'lineage_id')`,
    );
    const { names } = columns[0] as { names: string };
    await change(
      `with given as (select 'env_' || lpad(n::text, 26, '0') as id, n from generate_series(1, 10004) n), made as (
         insert into envelopes (org_id, envelope_id, envelope_name, status) select $1, id, 'Frequent Common', 'vaulted' from given returning envelope_id
       ), words as (
         insert into envelope_words (org_id, word, envelope_id) select $1, word, envelope_id from made, (values ('frequent'), ('common')) w (word)
       )
       insert into authoritative_copies (copy_id, lineage_id, envelope_id, vault_no, verify_code, ${names})
       select 'ac_' || lpad(n::text, 26, '0'), 'ac_' || lpad(n::text, 26, '0'), id, n + 1, lpad(n::text, 32, '0'), ${names} from given, authoritative_copies c where c.copy_id = $2`,
      large.org_id,
      pattern.copy_id,
    );
    const get = (query: string) => large.admin("GET", `/partner/vault?${query}`);
    for (const q of ["frequent", "common+frequent"]) {
      const { data, meta } = (await get(`q=${q}&limit=1`)).json;
      expect([data[0].envelope_id, meta], q).toEqual([
        `env_${"10004".padStart(26, "0")}`,
        { page: 1, limit: 1, total: 10_000, total_capped: true },
      ]);
    }
    expect((await get("q=frequent&limit=100&page=100")).json.data).toHaveLength(100);
    expect((await get("q=frequent&limit=100&page=101")).json.error).toBe("This list ends after 10,000 rows. Narrow your search");
    const broad = await get("q=frequ");
    expect([broad.status, broad.json.error]).toEqual([422, "Too many records have words that begin like this. Type more letters"]);
  });

  test("shows nothing of another organization", async () => {
    const stranger = await (await service.newOrg()).newKey();
    expect((await stranger.send("GET", "/partner/vault")).json).toMatchObject({ data: [], meta: { total: 0 } });
    expect((await stranger.send("GET", "/partner/vault?q=Contract")).json).toMatchObject({ data: [], meta: { total: 0 } });
  });
});
