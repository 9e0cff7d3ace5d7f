import { createHash } from "node:crypto";
import { appendAudit } from "../src/audit/append-audit.ts";
import type { EnvelopeId, OrgId } from "../src/shared/ids.ts";
import type { TestDatabase } from "./database.ts";
import type { TestService } from "./service.ts";

const by = { actor: { kind: "system", id: "system" }, ip: "127.0.0.1", user_agent: "test", request_id: "test" } as const;

/** Appends entries to one chain, each in its own transaction or all in one. Returns their hashes in order. */
export async function record(
  service: TestService,
  org: OrgId,
  subject: string,
  count: number,
  how: "each" | "together" = "together",
): Promise<string[]> {
  const hashes: string[] = [];
  const one = { type: "envelope.changed", by, envelope_id: subject as EnvelopeId, data: {} } as const;
  const transactions = how === "together" ? 1 : count;
  for (let n = 0; n < transactions; n++) {
    await service.db.tx(org, async (tx) => {
      for (let m = 0; m < count / transactions; m++) hashes.push((await appendAudit(tx, org, one)).hash);
    });
  }
  return hashes;
}

/** All leaves, in order. */
export async function leavesOf(database: TestDatabase): Promise<string[]> {
  return (await database.owner<{ hash: string }>("select hash from log_leaves order by leaf_index")).map(({ hash }) => hash);
}

/** Chains whose entries are not in the log exactly once each and in order. */
export async function chainsOutOfOrder(database: TestDatabase): Promise<unknown[]> {
  return database.owner(`
    with placed as (
      select e.org_id, e.subject, e.seq, l.leaf_index, lag(l.leaf_index) over (partition by e.org_id, e.subject order by e.seq) as before
      from audit_entries e left join log_leaves l on l.hash = e.hash
    ) select * from placed where leaf_index is null or leaf_index <= before`);
}

/** The root, computed literally as RFC 9162, 2.1.1 defines it. Everything else is compared with it. */
export function rootByDefinition(hashes: readonly string[]): string {
  const sha256 = (...parts: Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
  const root = (leaves: readonly string[]): Buffer => {
    if (leaves.length === 1) return sha256(Buffer.from([0]), Buffer.from(leaves[0] ?? "", "hex"));
    let split = 1;
    while (split * 2 < leaves.length) split *= 2;
    return sha256(Buffer.from([1]), root(leaves.slice(0, split)), root(leaves.slice(split)));
  };
  return root(hashes).toString("hex");
}
