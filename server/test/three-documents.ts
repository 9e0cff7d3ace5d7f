import { expect } from "vitest";
import { onePage, pages, text } from "../../pdf/fixtures/pages.ts";
import { writePdf } from "../../pdf/fixtures/writer.ts";
import { finishDocument } from "../src/envelopes/finish-document.ts";
import type { EnvelopeId } from "../src/shared/ids.ts";
import { signAll } from "./ceremony.ts";
import { form } from "./form.ts";
import { envelopeBody, landlord, tenant } from "./lease.ts";
import type { TestKey, TestOrg, TestService } from "./service.ts";

/** Three documents with different texts, pages and fields. The tenant signs the first, the landlord the third. */
export const lease = writePdf(
  onePage({
    content: `${text("Lease of the house")} ${text("{{Tenant name;role=Tenant}}", 72, 600)} ${text("{{Sign;role=Tenant;type=signature}}", 72, 500)}`,
  }),
);
export const rules = writePdf({ ...pages(2), 15: { dict: "", data: Buffer.from(text("Quiet hours begin at ten")) } });
export const handover = writePdf(
  onePage({
    content: `${text("Handover of four keys")} ${text("{{Sign;role=Landlord;type=signature}}", 72, 600)}`,
    mediaBox: "[0 0 595 842]",
  }),
);

export interface DraftOfSeveral {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly envelope_id: EnvelopeId;
  /** the path of the envelope */
  readonly at: string;
}

/** A document as the API lists it. */
export interface Listed {
  readonly document_id: string;
  readonly document_no: number;
  readonly name: string;
  readonly pages: number;
  readonly first_page: number | null;
  readonly hash: string;
  readonly size: number;
}

export async function emptyDraft(service: TestService, more: object = {}, given?: TestOrg): Promise<DraftOfSeveral> {
  const org = given ?? (await service.newOrg("Example Company"));
  const key = await org.newKey();
  const { status, json } = await key.send("POST", "/partner/envelopes", { body: envelopeBody(more) });
  expect([status, json.error]).toEqual([201, undefined]);
  const { envelope_id } = json.data as { envelope_id: EnvelopeId };
  return { org, key, envelope_id, at: `/partner/envelopes/${envelope_id}` };
}

export async function addTo({ key, at }: DraftOfSeveral, bytes: Uint8Array, name: string): Promise<Listed[]> {
  const { status, json } = await key.send("POST", `${at}/documents`, form({ name }, { bytes }));
  expect([status, json.error, json.details]).toEqual([201, undefined, undefined]);
  return json.data.documents;
}

export async function draftOfThree(service: TestService, more: object = {}, given?: TestOrg): Promise<DraftOfSeveral> {
  const one = await emptyDraft(service, more, given);
  await addTo(one, lease, "Lease");
  await addTo(one, rules, "House rules");
  await addTo(one, handover, "Handover");
  return one;
}

export const listed = async ({ key, at }: Pick<DraftOfSeveral, "key" | "at">): Promise<Listed[]> =>
  (await key.send("GET", `${at}/documents`)).json.data.documents;

export async function sendDraft({ key, at }: DraftOfSeveral, body: object = {}): Promise<void> {
  const { status, json } = await key.send("POST", `${at}/send`, { body: { signers: [tenant, landlord], ...body } });
  expect([status, json.error, json.details]).toEqual([200, undefined, undefined]);
}

/** Sent, signed by both, stamped and sealed. */
export async function signedThree(service: TestService, more: object = {}, body: object = {}): Promise<DraftOfSeveral> {
  const one = await draftOfThree(service, more);
  await sendDraft(one, body);
  const { org, envelope_id } = one;
  await signAll(service, org, envelope_id, [[tenant.email, { "Tenant name": "Ann Example" }], [landlord.email]]);
  await finishDocument(service.features.envelopes, { org_id: org.org_id, envelope_id });
  return one;
}
