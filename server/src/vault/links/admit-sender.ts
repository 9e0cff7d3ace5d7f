import { isLinkMessageSigned, type LinkParty, type RemoteTrust, readRemoteTrust } from "@countersign/evidence";
import { listRoots } from "../../seals/store.ts";
import { isId, type OrgId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { sha256 } from "../../shared/secrets.ts";
import { type FetchedTrust, fetchTrust } from "./fetch-trust.ts";
import type { LinkDeps, RemoteVault, SignedMessage } from "./link.ts";
import { listPinned, lookUpPinned, updateTrust } from "./remote-store.ts";

/** Whom a message is for, who claims to have sent it, and with which key. */
export interface Claimed {
  readonly own: LinkParty;
  readonly other: LinkParty;
  readonly key_id: string;
  readonly at: string;
}

/** The organization here that the message is for, and the vault that provably sent it. */
export interface Sender {
  readonly org: OrgId;
  readonly vault: RemoteVault;
  readonly trust: RemoteTrust;
  /** the trust document that lists the key */
  readonly text: string;
}

/**
 * Outside a transaction: finds out who signed a message. The other vault's keys are fetched again if it signs with one that is new. `of`: the
 * only organization that the message may be for, when a caller of ours hands it over as a file.
 */
export async function admitSender(
  deps: LinkDeps,
  signed: SignedMessage,
  { own, other, key_id, at }: Claimed,
  of?: OrgId,
  notForUs: "message_not_for_this_vault" | "release_not_for_this_vault" = "message_not_for_this_vault",
): Promise<Sender> {
  const roots = (await deps.db.system((tx) => listRoots(tx))).map((der) => sha256(der).toString("hex"));
  if (!roots.includes(own.root) || (of !== undefined && of !== own.org_id)) throw new Problem(notForUs);
  const org = own.org_id;
  // An organization that does not exist looks like one that has not pinned the sender.
  if (!isId("org", org)) throw new Problem("vault_not_pinned");
  const vault = (await deps.db.tx(org, (tx) => lookUpPinned(tx, org, other.root, other.org_id))) ?? (await lookUpRenewed(deps, org, other));
  if (vault === null) throw new Problem("vault_not_pinned");
  const { text, ...trust } = await trustFor(deps, org, vault, key_id);
  if (!isLinkMessageSigned(signed, { key_id, at }, trust.keys)) throw new Problem("message_not_signed");
  return { org, vault, trust, text };
}

/** A pinned vault that has a new root since its trust document was stored. The old root, which was pinned, vouches for the new one. */
async function lookUpRenewed(deps: LinkDeps, org: OrgId, other: LinkParty): Promise<RemoteVault | null> {
  for (const vault of await deps.db.tx(org, (tx) => listPinned(tx, org, other.org_id))) {
    const fetched = await fetchTrust(deps.links, vault);
    if ("fault" in fetched || !fetched.roots.includes(other.root)) continue;
    await deps.db.tx(org, (tx) => updateTrust(tx, org, vault.vault_id, fetched.text));
    return { ...vault, trust: fetched.text };
  }
  return null;
}

/** The stored keys, or newer ones if they do not list this key. */
async function trustFor(deps: LinkDeps, org: OrgId, vault: RemoteVault, key_id: string): Promise<FetchedTrust> {
  const stored = readRemoteTrust(vault.trust, vault.root_sha256);
  if (stored?.keys.records.some((key) => key.key_id === key_id)) return { ...stored, text: vault.trust };
  const fetched = await fetchTrust(deps.links, vault);
  if ("fault" in fetched) throw new Problem("message_not_signed", fetched.fault);
  await deps.db.tx(org, (tx) => updateTrust(tx, org, vault.vault_id, fetched.text));
  return fetched;
}
