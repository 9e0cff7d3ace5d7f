import { randomBytes } from "node:crypto";
import { hashOfFields } from "@countersign/evidence";
import { expect } from "vitest";
import { appendAudit } from "../src/audit/append-audit.ts";
import { readChain } from "../src/audit/read-chain.ts";
import { findSentFields, insertDocument, insertFields, insertPrepared } from "../src/envelopes/document-store.ts";
import type { Status } from "../src/envelopes/envelope.ts";
import { asSystem } from "../src/shared/caller.ts";
import { DAY_MS } from "../src/shared/durations.ts";
import { type EnvelopeId, newId, type OrgId } from "../src/shared/ids.ts";
import { newSlug, type Slug } from "../src/shared/slugs.ts";
import { hashOfSecret, newLinkSecret } from "../src/signing/link-store.ts";
import { signersHash } from "../src/signing/proven-record.ts";
import { listSigners } from "../src/signing/store.ts";
import { keepBlob } from "../src/storage/store.ts";
import { storeBlob } from "../src/storage/store-blob.ts";
import { type Answer, client, type Send } from "./client.ts";
import { plainPdf } from "./lease.ts";
import type { TestOrg, TestService } from "./service.ts";

/** Sent envelopes, and the people who open them. */

export interface TestSigner {
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly slug: Slug;
}

export interface TestEnvelope {
  readonly envelope_id: EnvelopeId;
  readonly submission_id: string;
  readonly signers: readonly [TestSigner, ...TestSigner[]];
}

export interface EnvelopeValues {
  readonly signers?: readonly [email: string, ...emails: string[]];
  readonly order?: "sequential" | "parallel";
  readonly status?: Status;
  readonly expires_at?: Date;
  readonly kba_required?: boolean;
  readonly message?: string;
  readonly vault_file_path?: string;
  /** the hashes of fields and signers that an earlier release recorded; without it, those of the first release, which recorded none */
  readonly content_version?: 1;
}

const people: Record<string, { name: string; role: string }> = {
  "ann@example.com": { name: "Ann", role: "Buyer" },
  "sam@example.com": { name: "Sam", role: "Seller" },
};

export async function sentEnvelope(service: TestService, org: TestOrg, values: EnvelopeValues = {}): Promise<TestEnvelope> {
  const [envelope_id, submission_id] = [newId("envelope"), newId("submission")];
  const { order = "sequential", status = "sent", expires_at = new Date(Date.now() + 30 * DAY_MS) } = values;
  await service.database.owner(
    `insert into envelopes (org_id, envelope_id, envelope_name, status, signing_order, submission_id, sent_at, expires_at, kba_required, message, vault_file_path)
     values ($1, $2, 'Lease', $3, $4, $5, now(), $6, $7, $8, $9)`,
    [
      org.org_id,
      envelope_id,
      status,
      order,
      submission_id,
      expires_at,
      values.kba_required ?? false,
      values.message ?? null,
      values.vault_file_path ?? null,
    ],
  );
  await service.database.owner(
    "insert into submissions (org_id, submission_id, envelope_id, provider, signing_order) values ($1, $2, $3, 'builtin', $4)",
    [org.org_id, submission_id, envelope_id, order],
  );
  const emails = values.signers ?? (["ann@example.com"] as const);
  const signers = emails.map((email, index) => {
    const { name, role } = people[email.toLowerCase()] ?? { name: `Signer ${index + 1}`, role: `Role ${index + 1}` };
    return { email, name, role, slug: newSlug() };
  });
  for (const [index, { email, name, role, slug }] of signers.entries()) {
    await service.database.owner(
      `insert into signers (org_id, submission_id, turn, envelope_id, slug, email, name, role, recipient_id, step)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        ...[org.org_id, submission_id, index + 1, envelope_id, slug, email, name, role, newId("recipient")],
        order === "sequential" ? index + 1 : 1,
      ],
    );
  }
  await giveDocument(service, org, envelope_id, signers, values.content_version);
  return { envelope_id, submission_id, signers: signers as [TestSigner, ...TestSigner[]] };
}

const SENDER = asSystem({ ip: "127.0.0.1", user_agent: "test", request_id: "sentEnvelope" });

/** One page with a signature field for each signer. */
async function giveDocument(
  service: TestService,
  { org_id }: TestOrg,
  id: EnvelopeId,
  signers: readonly TestSigner[],
  version?: 1,
): Promise<void> {
  const { sha256, size } = await storeBlob(service.features.storage, org_id, plainPdf);
  await service.db.tx(org_id, async (tx) => {
    await keepBlob(tx, org_id, sha256);
    const path = `${org_id}/documents/${id}/lease.pdf`;
    const pages = [{ w_pt: 612, h_pt: 792, rotate: 0, has_text: true, scan_dpi: null }] as const;
    const file = { name: "lease.pdf", path, content_type: "application/pdf", hash: sha256, size, pdf_sha256: sha256 } as const;
    await insertDocument(tx, org_id, id, {
      ...file,
      document_id: newId("document"),
      document_no: 1,
      pages,
      roles: [],
      byte_for_byte: false,
    });
    await insertPrepared(tx, org_id, id, { sha256, size }, sha256);
    const common = {
      type: "signature",
      required: true,
      readonly: false,
      default_value: null,
      options: null,
      settings: {},
      field_key: null,
      document_no: 1,
      anchor_match: null,
    } as const;
    const areas = (index: number) => [{ page: 1, x: 0.1, y: 0.1 + 0.08 * index, w: 0.3, h: 0.06 }];
    const fields = signers.map(({ role }, index) => ({ ...common, name: `Signature ${role}`, role, areas: areas(index), prefilled: null }));
    await insertFields(tx, org_id, id, fields);
    if (version !== undefined) {
      const data = { sha256, parent_sha256: sha256, pages: 1, signatures_removed: 0 };
      await appendAudit(tx, org_id, { type: "document.prepared", by: SENDER, envelope_id: id, data });
    }
    const hashes = version !== undefined && {
      content_version: version,
      fields_sha256: hashOfFields(await findSentFields(tx, org_id, id), version),
      ...signersHash(await listSigners(tx, org_id, id), version),
    };
    // As earlier releases wrote it.
    const sent = { prepared_sha256: sha256, signers: signers.map(({ email, name, role }) => ({ email, name, role })), ...hashes };
    await appendAudit(tx, org_id, { type: "envelope.sent", by: SENDER, envelope_id: id, data: sent });
  });
}

/** Returns whether this void was first. A compare-and-set on the row, like every move. */
export async function voidEnvelope(service: TestService, envelope_id: EnvelopeId): Promise<boolean> {
  const voided = await service.database.owner(
    "update envelopes set status = 'voided', ended_at = now() where envelope_id = $1 and status in ('sent', 'viewed') returning 1",
    [envelope_id],
  );
  return voided.length === 1;
}

export async function setSigner(service: TestService, slug: Slug, status: string): Promise<void> {
  await service.database.owner("update signers set status = $2 where slug = $1", [slug, status]);
}

export async function statusOf(service: TestService, envelope_id: EnvelopeId): Promise<string | undefined> {
  const [row] = await service.database.owner<{ status: string }>("select status from envelopes where envelope_id = $1", [envelope_id]);
  return row?.status;
}

export async function signerStatuses(service: TestService, envelope_id: EnvelopeId): Promise<string[]> {
  const rows = await service.database.owner<{ status: string }>("select status from signers where envelope_id = $1 order by turn", [
    envelope_id,
  ]);
  return rows.map(({ status }) => status);
}

export async function tokenFor(org: TestOrg, envelope_id: EnvelopeId, user_email: string, widget_type = "sign"): Promise<string> {
  const { status, json } = await org.admin("POST", "/embed/token", { body: { envelope_id, user_email, widget_type } });
  expect([status, json.error]).toEqual([200, undefined]);
  return json.data.token;
}

/** The secret of a link as a mail would contain it, for signers who got no mail. */
export async function mailedSecret(service: TestService, slug: Slug): Promise<string> {
  const secret = newLinkSecret();
  await service.database.owner(
    `insert into signer_links (org_id, secret_sha256, slug, kind, message_id) select org_id, $2, slug, 'mailed', $3 from signers where slug = $1`,
    [slug, hashOfSecret(secret), newId("message")],
  );
  return secret;
}

export async function linkTokenFor(service: TestService, slug: Slug, secret?: string): Promise<string> {
  const body = { secret: secret ?? (await mailedSecret(service, slug)) };
  const { status, json } = await service.send("POST", `/embed/links/${slug}/token`, { body });
  expect(status).toBe(200);
  return json.data.token;
}

export interface LinkInMail {
  readonly slug: Slug;
  readonly secret: string;
}

/** The signing link in a text. Fails if there is none. */
export function linkIn(text: string | null | undefined): LinkInMail {
  const [, slug, secret] = /\/s\/([0-9a-f]{32})(?:\?lang=\w+)?#k=([0-9a-f]{32})/.exec(text ?? "") ?? expect.fail("no link");
  return { slug: slug as Slug, secret: secret ?? "" };
}

/** The link in the newest message to an address, read from the outbox by the org's admin, because there is no mail server. */
export async function linkInOutbox(org: TestOrg, to: string): Promise<LinkInMail> {
  const { json } = await org.admin("GET", "/org/outbox");
  const found = json.data.find((message: { to: string }) => message.to === to) ?? expect.fail(`no message to ${to}`);
  return linkIn((await org.admin("GET", `/org/outbox/${found.message_id}`)).json.data.text);
}

export const newSession = (): string => randomBytes(16).toString("hex");

/** The signing page: a token, and a signing session that the page created. */
export function page(service: TestService, token: string, signing_session: string = newSession()): Send {
  return client(service.url, { authorization: `Bearer ${token}`, "x-signing-session": signing_session, "user-agent": "a browser" });
}

/** The response to a page whose envelope has ended. */
export function endedAs(answer: Answer): [status: number, code: string] {
  return [answer.status, answer.json.details?.[0]?.code];
}

/** The entries of an envelope's chain without the common members, and without the entry that `sentEnvelope` writes. */
export async function chainOf(service: TestService, org: OrgId, envelope_id: EnvelopeId) {
  const chain = await service.db.tx(org, (tx) => readChain(tx, org, envelope_id));
  return chain.flatMap(({ entry: { type, actor }, data }) => {
    const { ip, user_agent, request_id, ...rest } = (data?.data ?? expect.fail("the data was erased")) as Record<string, unknown>;
    return request_id === SENDER.request_id ? [] : [{ type, actor, data: rest }];
  });
}
