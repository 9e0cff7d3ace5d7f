import { beforeAll, expect } from "vitest";
import type { CustomerId, EnvelopeId, OrgId, RemoteRequestId, RemoteVaultId, VaultTransferId } from "../src/shared/ids.ts";
import { continueTransfer } from "../src/vault/links/continue-transfer.ts";
import type { Direction } from "../src/vault/links/transfer.ts";
import { exchangeActs } from "../src/vault/remote-requests/exchange-act.ts";
import { storeEnvelope } from "../src/vault/store-envelope.ts";
import { type Answer, type TestOrg, type TestService, testService } from "./service.ts";
import { vaultedCopy } from "./vaulted.ts";

/** Two installations with their own databases, keys and sockets, and an organization in each that has pinned the other's. */

export interface Side {
  readonly service: TestService;
  org: TestOrg;
  root: string;
  /** the other, as this one pinned it */
  vault_id: RemoteVaultId;
  customer_id: CustomerId;
}

export async function rootOf({ url }: TestService): Promise<string> {
  const { keys } = (await (await fetch(`${url}/.well-known/countersign-trust.json`)).json()) as { keys: { root_sha256: string } };
  return keys.root_sha256;
}

export async function pin(side: Side, other: Side): Promise<RemoteVaultId> {
  const body = { url: other.service.url, root_sha256: other.root, org_id: other.org.org_id, name: "Second Example Bank" };
  const { status, json } = await side.org.admin("POST", "/partner/remote-vaults", { body });
  expect([status, json.error]).toEqual([201, undefined]);
  return json.data.vault_id;
}

export async function newCustomer({ org }: Pick<Side, "org">): Promise<CustomerId> {
  const { json } = await org.admin("POST", "/partner/customers", { body: { email: "ann@example.com", name: "Ann" } });
  return json.data.customer_id;
}

export async function newSide(service: TestService, name: string): Promise<Side> {
  const org = await service.newOrg(name);
  const side = { service, org, root: await rootOf(service) } as Side;
  return { ...side, customer_id: await newCustomer(side) };
}

export function twoVaults(): { readonly here: Side; readonly there: Side } {
  const [one, two] = [testService(), testService()];
  const pair = {} as { here: Side; there: Side };
  beforeAll(async () => {
    pair.here = await newSide(one, "First Example Bank");
    pair.there = await newSide(two, "Second Example Bank");
    pair.here.vault_id = await pin(pair.here, pair.there);
    pair.there.vault_id = await pin(pair.there, pair.here);
  });
  return pair;
}

/** Proposes the act that offers a record. No one acts for the secured party, so that no one has to confirm it. */
export async function propose({ org, vault_id }: Side, envelope_id: EnvelopeId): Promise<Answer> {
  const { control_version } = (await org.admin("GET", `/partner/envelopes/${envelope_id}/vault`)).json.data;
  const body = { kind: "transfer_out", vault_id, reason: "Sale of the loan", present_version: control_version };
  return org.admin("POST", `/partner/envelopes/${envelope_id}/acts`, { body });
}

export async function offer(side: Side, envelope_id: EnvelopeId): Promise<VaultTransferId> {
  const { status, json } = await propose(side, envelope_id);
  expect([status, json.error, json.data?.state]).toEqual([201, undefined, "effective"]);
  const listed = await side.org.admin("GET", `/partner/vault-transfers?direction=out&envelope_id=${envelope_id}`);
  expect(listed.json.data[0].act_id).toBe(json.data.act_id);
  return listed.json.data[0].transfer_id;
}

/** Runs the job of one side, and what it queues about certificates. */
export async function go(side: Side, transfer_id: VaultTransferId, direction: Direction): Promise<void> {
  const { service, org } = side;
  await continueTransfer(service.features.vault, { org_id: org.org_id, transfer_id, direction });
}

export async function transferAt(side: Side, transfer_id: string) {
  const { status, json } = await side.org.admin("GET", `/partner/vault-transfers/${transfer_id}`);
  expect([status, json.error]).toEqual([200, undefined]);
  return json.data as {
    state: string;
    envelope_id: EnvelopeId | null;
    copy_id: string | null;
    reason: string | null;
    last_error: string | null;
  };
}

export async function accept(side: Side, transfer_id: string): Promise<void> {
  const body = { customer_id: side.customer_id, custodian_user_id: side.org.user_id };
  const { status, json } = await side.org.admin("POST", `/partner/vault-transfers/${transfer_id}/accept`, { body });
  expect([status, json.error]).toEqual([200, undefined]);
}

/** The whole way from the offer to the receipt, and the certificate at the receiver. Returns the envelope there. */
export async function move(from: Side, to: Side, envelope_id: EnvelopeId): Promise<EnvelopeId> {
  const transfer_id = await offer(from, envelope_id);
  await go(from, transfer_id, "out");
  expect((await transferAt(from, transfer_id)).last_error).toBeNull();
  await accept(to, transfer_id);
  await go(to, transfer_id, "in");
  await go(from, transfer_id, "out");
  await go(to, transfer_id, "in");
  await go(from, transfer_id, "out");
  await go(to, transfer_id, "in");
  const [sender, receiver] = [await transferAt(from, transfer_id), await transferAt(to, transfer_id)];
  expect([sender.state, receiver.state, sender.reason, receiver.reason]).toEqual(["confirmed", "done", null, null]);
  const moved = receiver.envelope_id ?? expect.fail("nothing was stored");
  await certify(to, moved);
  return moved;
}

export async function certify({ service, org }: Side, envelope_id: EnvelopeId): Promise<void> {
  await storeEnvelope(service.features.vault, { org_id: org.org_id as OrgId, envelope_id });
}

export async function copyState({ service }: Side, envelope_id: string): Promise<string | undefined> {
  const rows = await service.database.owner<{ state: string }>("select state from authoritative_copies where envelope_id = $1", [
    envelope_id,
  ]);
  return rows[0]?.state;
}

/** Two organizations of one installation that have pinned each other: its own neighbour, for tests that need only one side. */
export async function neighbours(service: TestService, org: TestOrg): Promise<{ readonly own: Side; readonly other: Side }> {
  const root = await rootOf(service);
  const sideOf = async (one: TestOrg): Promise<Side> => ({ service, org: one, root, customer_id: await newCustomer({ org: one }) }) as Side;
  const [own, other] = [await sideOf(org), await sideOf(await service.newOrg())];
  own.vault_id = await pin(own, other);
  other.vault_id = await pin(other, own);
  return { own, other };
}

/** A record that the neighbour offers, as it arrived. */
export async function offeredTo(
  service: TestService,
  org: TestOrg,
): Promise<{ readonly own: Side; readonly transfer_id: VaultTransferId }> {
  const { own, other } = await neighbours(service, org);
  const transfer_id = await offer(other, (await vaultedCopy(service, other.org)).envelope_id);
  await go(other, transfer_id, "out");
  return { own, transfer_id };
}

/** A request of the neighbour, as it arrived. `words`: the name of the party, and the reason. */
export async function askedOf(service: TestService, org: TestOrg, words = "Bank"): Promise<RemoteRequestId> {
  const { own, other } = await neighbours(service, org);
  const { envelope_id } = await vaultedCopy(service, other.org);
  const party = await other.org.admin("POST", "/partner/parties", { body: { kind: "vault", name: words, vault_id: other.vault_id } });
  const body = { kind: "designate", reason: words, present_version: 1, party_id: party.json.data.party_id };
  expect((await other.org.admin("POST", `/partner/envelopes/${envelope_id}/acts`, { body })).status).toBe(201);
  await exchangeActs(service.features.vault);
  return (await own.org.admin("GET", "/partner/remote-requests")).json.data[0].request_id;
}
