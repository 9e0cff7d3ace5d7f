import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { listRoots } from "../../seals/store.ts";
import type { ActId, OrgId, PartyId } from "../../shared/ids.ts";
import { sha256 } from "../../shared/secrets.ts";
import { findParty } from "../parties/store.ts";
import { ensureAskedVault } from "./asked-store.ts";

/** Whom an act asks at another installation: the pinned root, and the organization there. */
interface NeedOfVault {
  readonly party_id: PartyId | null;
  readonly asked: boolean;
  readonly vault?: { readonly root_sha256: string; readonly org_id: string };
}

/** In the transaction of the proposal: each installation that the act asks gets its request. */
export async function askVaults(tx: Tx, org: OrgId, act_id: ActId, needs: readonly NeedOfVault[]): Promise<void> {
  for (const { party_id, asked, vault } of needs) {
    if (party_id === null || vault === undefined || !asked) continue;
    const { vault_id } = await findParty(tx, org, party_id);
    if (vault_id === null) throw new Error(`${party_id} stands for no vault`);
    const roots = (await listRoots(tx)).map((root) => sha256(root).toString("hex"));
    // An installation that asks itself says so: both sides then have the same root.
    const asker_root = roots.find((root) => root === vault.root_sha256) ?? roots.at(-1);
    if (asker_root === undefined) throw new Error("a vaulted record was sealed under no root");
    const question = { org_id: org, vault_id, act_id, party_id };
    await ensureAskedVault(tx, org, { ...question, asker_root, decider_root: vault.root_sha256, decider_org_id: vault.org_id });
    await enqueue(tx, "vault.exchange-act", { ...question, side: "asker" });
  }
}
