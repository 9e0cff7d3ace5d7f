import { type Difference, type DifferenceKind, firstDifference, type Link, type SignedRows } from "@countersign/evidence";
import { appendAudit } from "../../audit/append-audit.ts";
import { ownerTx } from "../../db/owner-tx.ts";
import type { Tx } from "../../db/sql.ts";
import { enqueueFinishing } from "../../envelopes/advance-envelope.ts";
import { findSentDocument } from "../../envelopes/on-submission.ts";
import { lockRow } from "../../envelopes/store.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { Caller } from "../../shared/caller.ts";
import type { EnvelopeId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { readRecord } from "../../signing/proven-record.ts";
import type { SealingDeps } from "../../signing/sealed-columns.ts";
import { asSignedRows, readStoredRows, type StoredRows, type TableName, writeStoredRows } from "./stored-rows-store.ts";

/** Both with the owner's login, because the app's login cannot change what people signed. */
export interface RepairUrls {
  readonly live: string;
  /** a restored backup of the database */
  readonly copy: string;
}

export interface Repaired {
  readonly rows: number;
  /** what still differs from the audit trail, because the backup differs too; in that case nothing was changed */
  readonly left: Difference | null;
}

/**
 * Restores rows that were changed outside the service, from a restored backup of the database. The audit chain decides: a row is taken only
 * if the whole record then matches the chain. Rows, entry and job commit together; if no row differs, only the entry and the job are
 * written. A damaged chain is never repaired.
 */
export async function repairRows(deps: SealingDeps, urls: RepairUrls, caller: Caller, envelope_id: EnvelopeId): Promise<Repaired> {
  const { org } = caller;
  const copy = await ownerTx(urls.copy, (tx) => readStoredRows(deps, tx, org, envelope_id));
  return ownerTx(urls.live, async (tx) => {
    const { status, submission_id } = await lockRow(tx, org, envelope_id);
    if (submission_id === null) throw new Problem("envelope_wrong_status", "never sent", { words: { status } });
    const { rows: found, links } = await readRecord({ ...deps, findDocument: findSentDocument }, tx, org, envelope_id);
    const live = await readStoredRows(deps, tx, org, envelope_id);
    const { after, what, left } = planRepair(live, copy, found, links);
    if (left !== null) return { rows: 0, left };
    const rows = await writeStoredRows(deps, tx, org, envelope_id, live, after);
    await requireRepaired(deps, tx, caller, envelope_id);
    const type = "document.rows_repaired";
    const { hash } = await appendAudit(tx, org, { type, by: caller, envelope_id, data: { what, rows } });
    if (status === "vaulted") await enqueue(tx, "vault.evaluate", { org_id: org, envelope_id, cause: { type, hash } });
    if (status === "completed") {
      await enqueueFinishing(tx, org, envelope_id);
      if (after.stamped.length > 0) await enqueue(tx, "vault.store", { org_id: org, envelope_id });
    }
    return { rows, left: null };
  });
}

/** Reads the written rows again before the commit. */
async function requireRepaired(deps: SealingDeps, tx: Tx, { org }: Caller, envelope_id: EnvelopeId): Promise<void> {
  const { rows, links } = await readRecord({ ...deps, findDocument: findSentDocument }, tx, org, envelope_id);
  if (firstDifference(rows, links) !== null) throw new Error("restored rows do not match the audit trail");
}

interface RepairPlan {
  readonly after: StoredRows;
  readonly what: DifferenceKind[];
  readonly left: Difference | null;
}

/**
 * Replaces one difference after the other with the backup's rows, each kind once per signer; a second time, the backup would have nothing
 * better.
 */
function planRepair(live: StoredRows, copy: StoredRows, found: SignedRows, links: readonly Link[]): RepairPlan {
  let after = live;
  const tried = new Set<string>();
  const what = new Set<DifferenceKind>();
  for (;;) {
    const difference = firstDifference(asSignedRows(after, found), links);
    if (difference === null) return { after, what: [...what], left: null };
    const attempt = `${difference.what} ${difference.signer}`;
    if (difference.what === "audit_trail" || tried.has(attempt)) return { after: live, what: [], left: difference };
    tried.add(attempt);
    what.add(difference.what);
    after = repairDifference(difference, after, copy, links);
  }
}

const replacedTables: Partial<Record<DifferenceKind, readonly TableName[]>> = {
  document: ["document"],
  fields: ["fields"],
  stamped_document: ["stamped"],
  appearances: ["signers", "fields", "signatures"],
};

function repairDifference({ what, signer }: Difference, rows: StoredRows, copy: StoredRows, links: readonly Link[]): StoredRows {
  switch (what) {
    case "signers":
      return {
        ...rows,
        signers: withMembers(rows.signers, copy.signers, ["slug", "email", "name", "role", "recipient_id", "kind", "step", "delivery"]),
      };
    case "status":
      return { ...rows, signers: withMembers(rows.signers, copy.signers, ["status", "signed_at"], signer) };
    case "signature":
    case "mark":
    case "values": {
      const slug = slugOf(signer, links, copy);
      const marks = [...rows.marks.filter((one) => one.slug !== slug), ...copy.marks.filter((one) => one.slug === slug)];
      const signers = withMembers(rows.signers, copy.signers, ["signed_at"], signer);
      return {
        ...rows,
        signers,
        marks,
        signatures: ofSigner("signatures", rows, copy, slug),
        values: ofSigner("values", rows, copy, slug),
      };
    }
    default:
      return { ...rows, ...Object.fromEntries((replacedTables[what] ?? []).map((table) => [table, copy[table]])) };
  }
}

/** Statuses in a backup that is older than the last signature are older too, so only the wrong columns of each row are taken. */
function withMembers(
  rows: StoredRows["signers"],
  copy: StoredRows["signers"],
  members: readonly string[],
  signer: string | null = null,
): StoredRows["signers"] {
  return copy.map((good) => {
    const row = rows.find(({ turn }) => turn === good.turn);
    if (row === undefined) return good;
    if (signer !== null && good.email !== signer) return row;
    return { ...row, ...Object.fromEntries(members.map((member) => [member, good[member]])) };
  });
}

/** Replaces all rows of one signer, and removes other rows that are in their place. */
function ofSigner(table: "signatures" | "values", rows: StoredRows, copy: StoredRows, slug: string | null): StoredRows["values"] {
  const good = copy[table].filter((one) => one.slug === slug);
  const places = new Set(good.map(({ position }) => position));
  return [...rows[table].filter((one) => one.slug !== slug && !places.has(one.position)), ...good];
}

/** From the chain if the signer has signed, otherwise from the backup. */
function slugOf(signer: string | null, links: readonly Link[], copy: StoredRows): string | null {
  const signed = links.find(
    ({ entry, data }) => entry.type === "signature.applied" && (Object(data?.data) as { user_email?: string }).user_email === signer,
  );
  return signed?.entry.actor.id ?? (copy.signers.find(({ email }) => email === signer)?.slug as string | undefined) ?? null;
}
