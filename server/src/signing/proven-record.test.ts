import { hashOfSigners } from "@countersign/evidence";
import { describe, expect, test } from "vitest";
import { casesInAll } from "../../../testing/all.ts";
import { makeReady, type SigningSession, signAll, signingSession } from "../../test/ceremony.ts";
import { chainOf, sentEnvelope, statusOf } from "../../test/envelopes.ts";
import { form } from "../../test/form.ts";
import { testJobs } from "../../test/jobs.ts";
import { landlord, newEnvelope, newTemplate, plainPdf, tenant } from "../../test/lease.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { ofField, overwriteValue } from "../../test/signed-values.ts";
import { until } from "../../test/until.ts";
import { appendAudit } from "../audit/append-audit.ts";
import { systemCaller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { currentText } from "../texts/current-texts.ts";
import { listSigners } from "./store.ts";

const service = testService();
testJobs(service);

interface Lease {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly envelope_id: EnvelopeId;
}

const entered = { "Tenant name": "Ann Example", Rent: "1200", Start: "2026-03-01", Pet: true, Floor: "second" };
const terms = { certification: { accepted: true, terms_version: "2026-01" } };

async function sentLease(more: object = {}, send: object = {}): Promise<Lease> {
  const org = await service.newOrg("Example Company");
  const key = await org.newKey();
  const envelope_id = (await newEnvelope(key, await newTemplate(key), more)) as EnvelopeId;
  const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord], ...send } });
  expect([sent.status, sent.json.error]).toEqual([200, undefined]);
  return { org, key, envelope_id };
}

/** The tenant has signed, the landlord has not. */
async function halfSigned(more: object = {}, send: object = {}): Promise<Lease> {
  const lease = await sentLease(more, send);
  await signAll(service, lease.org, lease.envelope_id, [[tenant.email, entered]]);
  return lease;
}

/** A trigger makes the change in the transaction of the last signature, before any job can read a row. */
async function signedWhile({ org, envelope_id }: Lease, change: string): Promise<void> {
  const one = await signingSession(service, org, envelope_id, landlord.email);
  await makeReady(one, {}, "Sam Example");
  const name = `insider_${envelope_id}`;
  await service.database.owner(
    `create function ${name}() returns trigger language plpgsql security definer as $$ begin ${change}; return null; end $$`,
  );
  await service.database.owner(
    `create constraint trigger ${name} after update of status on envelopes deferrable initially deferred for each row
     when (new.envelope_id = '${envelope_id}' and new.status = 'completed') execute function ${name}()`,
  );
  const done = await one.complete();
  expect([done.status, done.json.error]).toEqual([200, undefined]);
  await service.database.owner(`drop trigger ${name} on envelopes`);
}

/** The request of a page that was opened earlier. */
async function completionOf(one: SigningSession) {
  const { data } = (await one.open()).json;
  const { version, locale, sha256 } = currentText(service.features.texts, "intent");
  const { prepared_sha256, state_sha256 } = data.document;
  return { revision: data.revision, prepared_sha256, state_sha256, intent: { version, locale, sha256 } };
}

const mismatches = async ({ org, envelope_id }: Lease) =>
  (await chainOf(service, org.org_id, envelope_id)).filter(({ type }) => type === "document.record_mismatch").map(({ data }) => data);
/** The messages as the admin reads them. */
const messages = async ({ org }: Lease) => {
  const { json } = await org.admin("GET", "/org/outbox?limit=200");
  return json.data.filter(({ kind }: { kind: string }) => kind === "record_mismatch");
};
const versions = async ({ envelope_id }: Lease) =>
  (
    await service.database.owner<{ kind: string }>(
      "select kind from document_versions where envelope_id = $1 and kind in ('stamped', 'signed', 'authoritative')",
      [envelope_id],
    )
  ).map(({ kind }) => kind);
const isTold = (lease: Lease) => until("a message to the admin", async () => (await messages(lease)).length > 0);
const refusal = ({ status, json }: { status: number; json: { error?: string; details?: { code: string }[] } }) => [
  status,
  json.error,
  json.details?.[0]?.code,
];
const REFUSED = [
  409,
  "The stored record of this document does not match its audit trail. It cannot be signed, sealed or downloaded until the record is repaired",
  "record_mismatch",
];

const hash = expect.stringMatching(/^[0-9a-f]{64}$/);

/** One bit of an encrypted value changes, and the next time changes back. */
const flipped = (column: string, byte: number) => `${column} = set_byte(${column}, ${byte}, get_byte(${column}, ${byte}) # 1)`;

/** What an insider can do with SQL, and how to undo it. */
const changes = [
  {
    what: "values",
    signer: tenant.email,
    change: (id: string) => overwriteValue(id, "Rent", "12"),
    back: (id: string) => overwriteValue(id, "Rent", "1200"),
  },
  {
    what: "values",
    signer: tenant.email,
    change: (id: string) =>
      `update signed_values set ${flipped("value_sealed", 30)} where envelope_id = '${id}' and ${ofField(id, "Rent")}`,
    back: (id: string) => `update signed_values set ${flipped("value_sealed", 30)} where envelope_id = '${id}' and ${ofField(id, "Rent")}`,
  },
  {
    what: "mark",
    signer: tenant.email,
    change: (id: string) =>
      `update adopted_marks set content_sealed = null, content = convert_to('{"text":"Eve","font":"caveat"}', 'UTF8') where (slug, sha256) in (select slug, mark_sha256 from signatures where envelope_id = '${id}' and slug in (select slug from signers where email = '${tenant.email}'))`,
    back: (id: string) =>
      `update adopted_marks set content_sealed = null, content = convert_to('{"text":"Ann Example","font":"caveat"}', 'UTF8') where (slug, sha256) in (select slug, mark_sha256 from signatures where envelope_id = '${id}' and slug in (select slug from signers where email = '${tenant.email}'))`,
  },
  {
    what: "signers",
    signer: null,
    change: (id: string) => `update signers set name = 'Eve' where envelope_id = '${id}' and name = 'Ann'`,
    back: (id: string) => `update signers set name = 'Ann' where envelope_id = '${id}' and name = 'Eve'`,
  },
  {
    what: "fields",
    signer: null,
    change: (id: string) =>
      `update envelope_fields set areas = jsonb_set(areas, '{0,y}', '0.9') where envelope_id = '${id}' and name = 'Rent'`,
    back: (id: string) =>
      `update envelope_fields f set areas = t.areas from envelopes e join template_fields t using (org_id, template_id) where f.envelope_id = '${id}' and e.envelope_id = f.envelope_id and t.position = f.position`,
  },
] as const;

describe.each(casesInAll(changes))("a change of $what in the database", ({ what, signer, change, back }) => {
  test("before the second signer: they can see and sign nothing, it is recorded once, and the admin is notified", async () => {
    const lease = await halfSigned();
    const early = await signingSession(service, lease.org, lease.envelope_id, landlord.email);
    await makeReady(early, {}, "Sam Example");
    const shown = await completionOf(early);
    await service.database.owner(change(lease.envelope_id));

    const late = await signingSession(service, lease.org, lease.envelope_id, landlord.email);
    expect(refusal(await late.open())).toEqual(REFUSED);
    expect(refusal(await late.see())).toEqual(REFUSED);
    expect(refusal(await early.open())).toEqual(REFUSED);
    expect(refusal(await early.send("POST", "/complete", { body: shown }))).toEqual(REFUSED);
    expect(refusal(await early.send("POST", "/complete", { body: shown, headers: { "idempotency-key": early.session } }))).toEqual(REFUSED);
    expect(refusal(await early.send("GET", "/document"))).toEqual(REFUSED);
    expect(await mismatches(lease)).toEqual([{ what, signer, expected: hash, found: hash }]);
    await isTold(lease);
    const [message, second] = await messages(lease);
    expect([message.to, message.subject, second]).toEqual([
      lease.org.email,
      "A document's record does not match its audit trail: Lease",
      undefined,
    ]);
    expect(await statusOf(service, lease.envelope_id)).toBe("viewed");

    await service.database.owner(back(lease.envelope_id));
    expect((await early.complete()).json.data).toMatchObject({ envelope_status: "completed" });
    await until("the sealed document", async () => (await versions(lease)).includes("signed"));
    expect(await mismatches(lease)).toHaveLength(1);
  });

  test("before stamping: nothing is stamped or sealed until the row is repaired", async () => {
    const lease = await halfSigned();
    await signedWhile(lease, change(lease.envelope_id));
    await isTold(lease);
    expect(await mismatches(lease)).toEqual([{ what, signer, expected: hash, found: hash }]);
    const path = `/partner/envelopes/${lease.envelope_id}`;
    expect(refusal(await lease.key.send("GET", `${path}/document`))).toEqual(REFUSED);
    expect(refusal(await lease.key.send("POST", `${path}/vault-in-signed`, { body: terms }))).toEqual(REFUSED);
    expect([await statusOf(service, lease.envelope_id), await versions(lease)]).toEqual(["completed", []]);
    expect(await mismatches(lease), "said once").toHaveLength(1);
    await until("the end of the job, which is not tried again", async () => (await waitingJobs(lease)).length === 0);

    await service.database.owner(back(lease.envelope_id));
    expect((await lease.key.send("GET", `${path}/document`)).json.error).toMatch(/still being prepared/);
    await until("the sealed document", async () => (await versions(lease)).includes("signed"));
    expect((await lease.key.send("GET", `${path}/document`)).status).toBe(200);
  });
});

const waitingJobs = ({ envelope_id }: Lease) =>
  service.database.owner("select from graphile_worker._private_jobs where payload ->> 'envelope_id' = $1", [envelope_id]);

describe("other changes in the database before stamping", () => {
  const ofAnn = `slug = (select slug from signers where envelope_id = '$id' and turn = 1)`;
  const ofSam = `(select slug from signers where envelope_id = '$id' and turn = 2)`;
  test.each([
    ["values", "a value is deleted", `delete from signed_values where envelope_id = '$id' and ${ofField("$id", "Rent")}`],
    ["values", "the number of its key", `update signed_values set ${flipped("value_sealed", 5)} where envelope_id = '$id'`],
    ["values", "the mark of an encrypted value", `update signed_values set ${flipped("value_sealed", 0)} where envelope_id = '$id'`],
    [
      "values",
      "an encrypted value is cut off",
      "update signed_values set value_sealed = substring(value_sealed for 20) where envelope_id = '$id'",
    ],
    [
      "values",
      "the encrypted value of another field",
      `update signed_values v set value_sealed = o.value_sealed from signed_values o
       where v.envelope_id = '$id' and o.envelope_id = '$id' and v.${ofField("$id", "Rent")} and o.${ofField("$id", "Start")}`,
    ],
    [
      "values",
      "the encrypted value of the same field in another envelope, of another organization too",
      `update signed_values v set value_sealed = o.value_sealed from signed_values o
       where v.envelope_id = '$id' and v.${ofField("$id", "Rent")} and o.envelope_id <> '$id' and o.org_id <> v.org_id and o.position = v.position
         and o.value_sealed is not null`,
    ],
    [
      "mark",
      "a byte of an encrypted signature",
      `update adopted_marks set ${flipped("content_sealed", 40)} where slug = (select slug from signers where envelope_id = '$id' and turn = 1)`,
    ],
    [
      "values",
      "a value is added",
      `insert into signed_values select org_id, envelope_id, (select position from envelope_fields where envelope_id = '$id' and name = 'Landlord signature'), slug, 'x' from signers where envelope_id = '$id' and turn = 1`,
    ],
    [
      "values",
      "a value is given to the other signer",
      `update signed_values set slug = ${ofSam} where envelope_id = '$id' and ${ofField("$id", "Rent")}`,
    ],
    ["signature", "a signature is deleted", `delete from signatures where envelope_id = '$id' and ${ofAnn}`],
    [
      "signature",
      "the time of a signature",
      `update signatures set signed_at = signed_at - interval '1 day' where envelope_id = '$id' and ${ofAnn}`,
    ],
    [
      "fields",
      "what the sender filled in",
      "update envelope_fields set prefilled = 'x', readonly = true where envelope_id = '$id' and name = 'Floor'",
    ],
    [
      "document",
      "the PDF",
      "update documents set pdf_sha256 = (select sha256 from blobs where org_id = documents.org_id and sha256 <> pdf_sha256 limit 1) where envelope_id = '$id'",
    ],
  ])("%s: %s, and nothing is stamped", async (what, _name, text) => {
    const lease = await halfSigned();
    await lease.key.send("POST", "/partner/templates", form({ name: "Another" }, { bytes: plainPdf }));
    await signedWhile(lease, text.replaceAll("$id", lease.envelope_id));
    await until("an entry", async () => (await mismatches(lease)).length > 0);
    expect([(await mismatches(lease)).map((data) => data.what), await versions(lease)]).toEqual([[what], []]);
  });

  test("a signer without a signature counts as not having signed, whatever their row says", async () => {
    const lease = await sentLease();
    const one = await signingSession(service, lease.org, lease.envelope_id, tenant.email);
    await makeReady(one, entered);
    await service.database.owner("update signers set status = 'signed', signed_at = now() where envelope_id = $1 and turn = 1", [
      lease.envelope_id,
    ]);
    const landlords = await signingSession(service, lease.org, lease.envelope_id, landlord.email);
    expect(refusal(await landlords.open())).toEqual(REFUSED);
    expect(await mismatches(lease)).toEqual([{ what: "status", signer: tenant.email, expected: "not signed", found: "signed" }]);
  });

  test("a forged entry that corrects a signer who has signed is ignored", async () => {
    const lease = await halfSigned();
    const { org_id } = lease.org;
    await service.database.owner("update signers set name = 'Eve' where envelope_id = $1 and turn = 1", [lease.envelope_id]);
    await service.db.tx(org_id, async (tx) => {
      const signers_sha256 = hashOfSigners(await listSigners(tx, org_id, lease.envelope_id));
      const data = { role: tenant.role, from: { name: "Ann" }, to: { name: "Eve" }, signers_sha256 };
      await appendAudit(tx, org_id, { type: "signer.corrected", by: systemCaller(org_id), envelope_id: lease.envelope_id, data });
    });
    const one = await signingSession(service, lease.org, lease.envelope_id, landlord.email);
    expect(refusal(await one.open())).toEqual(REFUSED);
    const own = (await chainOf(service, org_id, org_id as unknown as EnvelopeId)).filter(({ type }) => type === "document.record_mismatch");
    expect(own.map(({ data }) => data)).toMatchObject([{ envelope_id: lease.envelope_id, what: "audit_trail", signer: null }]);
  });

  test("a changed audit trail is recorded in the organization's own, and nothing is stamped", async () => {
    const lease = await halfSigned();
    await signedWhile(
      lease,
      `update audit_entry_data set data = data || '{"values_sha256": "x"}' where subject = '${lease.envelope_id}' and data ? 'mark_sha256'`,
    );
    await isTold(lease);
    const own = (await chainOf(service, lease.org.org_id, lease.org.org_id as unknown as EnvelopeId)).at(-1);
    expect(own).toMatchObject({ type: "document.record_mismatch", data: { envelope_id: lease.envelope_id, what: "audit_trail" } });
    expect(await versions(lease)).toEqual([]);
  });
});

describe("between stamping and the vault", () => {
  test("another stamped version, or another name, is not sealed as the authoritative copy", async () => {
    for (const [what, text] of [
      ["stamped_document", "update document_versions set sha256 = parent_sha256 where envelope_id = '$id' and kind = 'stamped'"],
      ["signers", "update signers set name = 'Eve' where envelope_id = '$id' and turn = 1"],
    ] as const) {
      const lease = await halfSigned({ auto_vault_enabled: true }, terms);
      await insiderAfterStamping(lease, text.replaceAll("$id", lease.envelope_id));
      await until("an entry", async () => (await mismatches(lease)).length > 0);
      expect((await mismatches(lease)).map((data) => data.what)).toEqual([what]);
      expect([await statusOf(service, lease.envelope_id), await versions(lease)]).toEqual(["completed", ["stamped"]]);
    }
  });
});

/** The change is committed together with the stamping. */
async function insiderAfterStamping({ org, envelope_id }: Lease, change: string): Promise<void> {
  const name = `insider_${envelope_id}`;
  await service.database.owner(
    `create function ${name}() returns trigger language plpgsql security definer as $$ begin ${change}; return null; end $$`,
  );
  await service.database.owner(
    `create constraint trigger ${name} after insert on audit_entries deferrable initially deferred for each row
     when (new.subject = '${envelope_id}' and new.type = 'document.stamped') execute function ${name}()`,
  );
  await signAll(service, org, envelope_id, [[landlord.email]]);
}

describe("a download", () => {
  const document = ({ key, envelope_id }: Lease) => key.send("GET", `/partner/envelopes/${envelope_id}/document`);
  /** Another document of the organization, recorded as a version of this one. */
  const forge = ({ envelope_id }: Lease, kind: string) =>
    service.database.owner(
      `insert into document_versions (org_id, envelope_id, kind, sha256, parent_sha256, size)
       select org_id, envelope_id, $2, pdf_sha256, pdf_sha256, 1 from documents where envelope_id = $1`,
      [envelope_id, kind],
    );

  test("of an envelope whose row says completed, with forged versions, is refused with and without auto-vault", async () => {
    for (const lease of [await halfSigned({ auto_vault_enabled: true }, terms), await halfSigned()]) {
      await service.database.owner("update envelopes set status = 'completed', completed_at = now() where envelope_id = $1", [
        lease.envelope_id,
      ]);
      for (const kind of ["stamped", "signed"]) await forge(lease, kind);
      expect(refusal(await document(lease))).toEqual(REFUSED);
      await isTold(lease);
    }
  });

  test("of a finished document whose sealed version was replaced is refused", async () => {
    const lease = await halfSigned();
    await signAll(service, lease.org, lease.envelope_id, [[landlord.email]]);
    await until("the sealed document", async () => (await document(lease)).status === 200);
    await service.database.owner(
      `update document_versions v set sha256 = d.pdf_sha256 from documents d
       where v.envelope_id = $1 and d.envelope_id = $1 and v.kind = 'signed'`,
      [lease.envelope_id],
    );
    expect(refusal(await document(lease))).toEqual(REFUSED);
    expect(await mismatches(lease)).toEqual([expect.objectContaining({ what: "sealed_document", expected: hash, found: hash })]);
  });
});

test("identity questions that were switched off in the database still apply: the signer sees nothing", async () => {
  const questions = [1, 2].map((n) => ({ text: `Question ${n}?`, answer: `answer ${n}` }));
  const signers = [tenant, landlord].map((signer) => ({ ...signer, kba: { questions } }));
  const lease = await sentLease({ kba_required: true }, { signers });
  await service.database.owner("update envelopes set kba_required = false where envelope_id = $1", [lease.envelope_id]);
  const one = await signingSession(service, lease.org, lease.envelope_id, tenant.email);
  expect(refusal(await one.open())).toEqual(REFUSED);
});

describe("a correction", () => {
  const correct = ({ key, envelope_id }: Lease, slug: string, body: object) =>
    key.send("PATCH", `/partner/envelopes/${envelope_id}/signers/${slug}`, { body });
  const slugs = async ({ envelope_id }: Lease) =>
    (await service.database.owner<{ slug: string }>("select slug from signers where envelope_id = $1 order by turn", [envelope_id])).map(
      ({ slug }) => slug,
    );

  test("becomes part of the record, and the document is made", async () => {
    const lease = await halfSigned();
    const [, sam = ""] = await slugs(lease);
    expect((await correct(lease, sam, { email: "samuel@example.com", name: "Samuel" })).status).toBe(200);
    await signAll(service, lease.org, lease.envelope_id, [["samuel@example.com"]]);
    await until("the sealed document", async () => (await versions(lease)).includes("signed"));
  });

  test("does not hide an earlier change in the database", async () => {
    const lease = await halfSigned();
    const [, sam = ""] = await slugs(lease);
    await service.database.owner("update signers set name = 'Eve' where envelope_id = $1 and turn = 1", [lease.envelope_id]);
    expect(refusal(await correct(lease, sam, { name: "Samuel" }))).toEqual(REFUSED);
    expect((await mismatches(lease)).map((data) => data.what)).toEqual(["signers"]);
  });
});

describe("an envelope that an earlier release sent", () => {
  test("has no hashes of fields and signers but is finished anyway; its values are compared with the trail", async () => {
    const org = await service.newOrg();
    const old = await sentEnvelope(service, org);
    await signAll(service, org, old.envelope_id, [["ann@example.com"]]);
    const lease = { org, key: await org.newKey(), envelope_id: old.envelope_id };
    await until("the sealed document", async () => (await versions(lease)).includes("signed"));

    const two = await sentEnvelope(service, org, { signers: ["ann@example.com", "sam@example.com"] });
    await signAll(service, org, two.envelope_id, [["ann@example.com"]]);
    await service.database.owner("update signatures set signed_at = signed_at - interval '1 day' where envelope_id = $1", [
      two.envelope_id,
    ]);
    expect(refusal(await (await signingSession(service, org, two.envelope_id, "sam@example.com")).open())).toEqual(REFUSED);
  });
});

test("each signature requests a checkpoint of the log at once", async () => {
  const lease = await halfSigned();
  const [signed] = await service.database.owner<{ hash: string }>(
    "select hash from audit_entries where subject = $1 and type = 'signature.applied'",
    [lease.envelope_id],
  );
  await until("a checkpoint with the signature in it", async () => {
    const covered = await service.database.owner(
      "select from log_leaves l where l.hash = $1 and l.leaf_index < (select max(tree_size) from checkpoints)",
      [signed?.hash],
    );
    return covered.length === 1;
  });
});
