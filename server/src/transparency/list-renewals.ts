import type { Inclusion, LogRecordKind } from "@countersign/evidence";
import { describeToken } from "../seals/long-term.ts";
import type { LogDeps, SignedCheckpoint } from "./checkpoint.ts";
import { consistencyProof, inclusionProofs } from "./prove.ts";
import { type LogObjectRow, listLogObjects, lookUpLastToken, lookUpTokenOf, lookUpTokenRecord, type TokenRow } from "./renewal-store.ts";
import { lookUpCheckpoint, lookUpLeaves } from "./store.ts";

/** A later time stamp that covers an earlier one. */
export interface Renewal {
  /** names the earlier token; null for the first time stamp of a checkpoint that had none */
  readonly record: Buffer | null;
  /** that the record is in the checkpoint; null without a record */
  readonly inclusion: Inclusion | null;
  /** that the checkpoint continues the one without a time stamp; null with a record */
  readonly consistency: readonly string[] | null;
  readonly checkpoint: SignedCheckpoint;
  /** over the bytes of the checkpoint */
  readonly token: Buffer;
}

/**
 * The shortest chain of time stamps from the checkpoint of this size to the newest one. Each was made while the certificate of the authority
 * before it was valid, so the chain is as strong as its last link. Empty if no later time stamp covers the checkpoint.
 * @example await listRenewals(deps.log, facts.checkpoint.tree_size)
 */
export async function listRenewals(deps: Pick<LogDeps, "db">, tree_size: number): Promise<Renewal[]> {
  const renewals: Renewal[] = [];
  let newest = await deps.db.system((tx) => lookUpTokenOf(tx, tree_size));
  if (newest === null) {
    const first = await deps.db.system((tx) => lookUpLastToken(tx, tree_size - 1, NEVER));
    if (first === null) return [];
    const consistency = await consistencyProof(deps, tree_size, first.tree_size);
    return [{ record: null, inclusion: null, consistency, ...(await stampedState(deps, first)) }];
  }
  for (;;) {
    const next: { renewal: Renewal; token: TokenRow } | null = await lookUpNext(deps, newest);
    if (next === null) return renewals;
    renewals.push(next.renewal);
    newest = next.token;
  }
}

const NEVER = new Date("9999-12-31T00:00:00Z");

async function lookUpNext(deps: Pick<LogDeps, "db">, { checkpoint_token_id, token }: TokenRow) {
  const { authority_until } = describeToken(token);
  const found = await deps.db.system(async (tx) => {
    const record = await lookUpTokenRecord(tx, checkpoint_token_id);
    const index = record === null ? undefined : (await lookUpLeaves(tx, [record.hash])).get(record.hash);
    if (record === null || index === undefined) return null;
    const next = await lookUpLastToken(tx, index, authority_until);
    return next === null ? null : { record, next };
  });
  if (found === null) return null;
  const { record, next } = found;
  const [inclusion = null] = await inclusionProofs(deps, [record.hash], next.tree_size);
  const renewal: Renewal = { record: record.bytes, inclusion, consistency: null, ...(await stampedState(deps, next)) };
  return { renewal, token: next };
}

async function stampedState(deps: Pick<LogDeps, "db">, { tree_size, token }: TokenRow): Promise<Pick<Renewal, "checkpoint" | "token">> {
  const checkpoint = await deps.db.system((tx) => lookUpCheckpoint(tx, tree_size));
  if (checkpoint === null) throw new Error(`there is no checkpoint of ${tree_size} leaves`);
  return { checkpoint, token };
}

/** An object that a checkpoint covers, with its record and the proof. */
export interface KeptObject {
  readonly kind: LogRecordKind;
  readonly object: Buffer;
  readonly record: Buffer;
  readonly inclusion: Inclusion;
}

/** Revocation data and lists of keys whose records are in the checkpoint of this size. */
export async function listKeptObjects(
  deps: Pick<LogDeps, "db">,
  tree_size: number,
  kinds: readonly LogRecordKind[] = ["crl", "ocsp", "trust"],
): Promise<KeptObject[]> {
  const rows: LogObjectRow[] = await deps.db.system((tx) => listLogObjects(tx, kinds, tree_size));
  const proofs = await inclusionProofs(
    deps,
    rows.map(({ hash }) => hash),
    tree_size,
  );
  return rows.flatMap(({ kind, object, bytes: record }, n) => {
    const inclusion = proofs[n];
    return inclusion === undefined ? [] : [{ kind, object, record, inclusion }];
  });
}
