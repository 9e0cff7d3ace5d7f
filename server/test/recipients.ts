import { expect } from "vitest";
import { onePage, text } from "../../pdf/fixtures/pages.ts";
import { writePdf } from "../../pdf/fixtures/writer.ts";
import type { EnvelopeId } from "../src/shared/ids.ts";
import type { Slug } from "../src/shared/slugs.ts";
import { makeReady, type SigningSession, signingSession } from "./ceremony.ts";
import type { Answer } from "./client.ts";
import { envelopeBody, landlord, newTemplate, tenant } from "./lease.ts";
import type { TestKey, TestOrg, TestService } from "./service.ts";

/** Envelopes with approvers, viewers and people who get a copy. */

const contractPdf = writePdf(
  onePage({
    content: [
      text("{{Cost centre;role=Controller;required=true}}", 72, 700),
      text("{{Tenant signature;role=Tenant;type=signature}}", 72, 560),
      text("{{Landlord signature;role=Landlord;type=signature}}", 72, 500),
    ].join(" "),
  }),
);

export const ann = { kind: "signer", ...tenant } as const;
export const sam = { kind: "signer", ...landlord } as const;
/** fills in a field of the contract */
export const lee = { kind: "approver", email: "lee@example.com", name: "Lee", role: "Controller" } as const;
export const vera = { kind: "viewer", email: "vera@example.com", name: "Vera" } as const;
export const carl = { kind: "cc", email: "carl@example.com", name: "Carl" } as const;

export interface Contract {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly envelope_id: EnvelopeId;
}

/** A draft. By default its document has fields for two signers and an approver. */
export async function draftContract(
  service: TestService,
  more: object = {},
  pdf: Uint8Array = contractPdf,
  given?: TestOrg,
): Promise<Contract> {
  const org = given ?? (await service.newOrg("Example Company"));
  const key = await org.newKey();
  const body = envelopeBody({ template_id: await newTemplate(key, pdf), ...more });
  const { status, json } = await key.send("POST", "/partner/envelopes", { body });
  expect([status, json.error, json.details]).toEqual([201, undefined, undefined]);
  return { org, key, envelope_id: json.data.envelope_id };
}

export interface SentRecipient {
  readonly recipient_id: string;
  readonly kind: string;
  readonly email: string;
  readonly slug: Slug;
  readonly status: string;
  readonly step: number | null;
}

export interface SentContract extends Contract {
  /** by e-mail address, as they are now */
  now(): Promise<Record<string, SentRecipient>>;
  status(): Promise<string>;
  /** the kind and address of every message so far, in the order in which they were queued */
  mail(): Promise<string[]>;
  as(email: string): Promise<SigningSession>;
}

export async function sentContract(
  service: TestService,
  recipients: readonly object[],
  more: object = {},
  pdf: Uint8Array = contractPdf,
  given?: TestOrg,
): Promise<SentContract> {
  const contract = await draftContract(service, more, pdf, given);
  const { org, key, envelope_id } = contract;
  const { status, json } = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { recipients } });
  expect([status, json.error, json.details]).toEqual([200, undefined, undefined]);
  return {
    ...contract,
    now: async () => {
      const listed = await key.send("GET", `/partner/envelopes/${envelope_id}/recipients`);
      return Object.fromEntries(listed.json.data.recipients.map((one: SentRecipient) => [one.email, one]));
    },
    status: async () => (await key.send("GET", `/partner/envelopes/${envelope_id}/status`)).json.data.status,
    mail: async () => {
      const rows = await service.database.owner<{ kind: string; to_address: string }>(
        "select kind, to_address from mail_messages where org_id = $1 and envelope_id = $2 order by created_at, to_address",
        [org.org_id, envelope_id],
      );
      return rows.map(({ kind, to_address }) => `${kind} ${to_address}`);
    },
    as: (email) => signingSession(service, org, envelope_id, email),
  };
}

const stateOf = async (one: SigningSession): Promise<string> => (await one.open()).json.data?.document?.state_sha256 ?? "0".repeat(64);

export async function approve(one: SigningSession, more: object = {}): Promise<Answer> {
  return one.send("POST", "/approve", { body: { state_sha256: await stateOf(one), ...more } });
}

export async function confirm(one: SigningSession): Promise<Answer> {
  await one.see();
  return one.send("POST", "/confirm", { body: { state_sha256: await stateOf(one) } });
}

/** Everything that this person has to do. */
export async function act(contract: SentContract, email: string): Promise<Answer> {
  const one = await contract.as(email);
  const { kind } = (await one.open()).json.data.recipient;
  if (kind === "viewer") return confirm(one);
  if (kind === "signer") {
    await makeReady(one, {}, "A Signer");
    return one.complete();
  }
  const { fields } = (await one.open()).json.data;
  if (fields.length > 0) expect((await one.fill({ "Cost centre": "4711" })).status).toBe(200);
  return approve(one);
}
