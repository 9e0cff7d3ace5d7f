import { appendAudit } from "../../audit/append-audit.ts";
import { faultOfUrl } from "../../outbound/fault-of-url.ts";
import { listRoots } from "../../seals/store.ts";
import type { Caller } from "../../shared/caller.ts";
import { isSandbox, newId, type OrgId } from "../../shared/ids.ts";
import { invalidField } from "../../shared/problems.ts";
import { sha256 } from "../../shared/secrets.ts";
import { type FetchedTrust, fetchTrust } from "./fetch-trust.ts";
import type { LinkDeps, RemoteVault } from "./link.ts";
import { findVault, insertVault } from "./remote-store.ts";

export interface PinInput {
  readonly name?: string;
  readonly url: string;
  readonly root_sha256: string;
  /** of the organization there */
  readonly org_id: string;
}

/** Records of a sandbox are tests and stay where they are; no other vault has one either. */
function refuseSandboxes(org: OrgId, { org_id }: PinInput): void {
  if (isSandbox(org) || isSandbox(org_id as OrgId)) throw invalidField("org_id", "invalid_value", "sandboxes exchange no records");
}

/** Asks the other installation for its keys: 422 unless the root that the caller knows from elsewhere has signed them. */
async function preparePin(deps: Pick<LinkDeps, "links">, { org }: Caller, input: PinInput): Promise<FetchedTrust> {
  refuseSandboxes(org, input);
  const { url, root_sha256 } = input;
  const fault = faultOfUrl(deps.links.outbound.fence, url);
  if (fault !== null) throw invalidField("url", "invalid_value", fault);
  if (new URL(url).search !== "") throw invalidField("url", "invalid_value", "must not have a query");
  const trust = await fetchTrust(deps.links, { url: withoutSlash(url), root_sha256 });
  if (!("fault" in trust)) return trust;
  const isOtherRoot = trust.fault.startsWith("the trust document is not");
  if (isOtherRoot) throw invalidField("root_sha256", "invalid_value", "must be the root that signed the trust document there");
  throw invalidField("url", "invalid_value", `must lead to a vault: ${trust.fault}`);
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, "");

/** From now on records can move to and from this vault, once it has pinned this organization too. */
function savePin(deps: Pick<LinkDeps, "db">, caller: Caller, input: PinInput, { text }: FetchedTrust): Promise<RemoteVault> {
  const { org, actor } = caller;
  const url = withoutSlash(input.url);
  return deps.db.tx(org, async (tx) => {
    const own = (await listRoots(tx)).map((root) => sha256(root).toString("hex"));
    if (input.org_id === org && own.includes(input.root_sha256)) throw invalidField("org_id", "conflict", "is this organization itself");
    const vault_id = newId("remoteVault", tx.now.getTime());
    const { root_sha256, org_id: remote_org_id, name = new URL(url).host } = input;
    await insertVault(tx, org, { vault_id, name, url, root_sha256, remote_org_id, trust: text, pinned_by: actor });
    const data = { vault_id, name, url, root_sha256, remote_org_id };
    await appendAudit(tx, org, { type: "remote_vault.pinned", by: caller, data });
    return findVault(tx, org, vault_id);
  });
}

/** The steps of the operation, in the order in which the endpoint runs them. */
export const pinVault = { prepare: preparePin, save: savePin };
