import { cosignatureIn, type Note, consistencyProof as proofOfConsistency, readNote, writeNote } from "@countersign/evidence";
import type { Tx } from "../db/sql.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { type Result, sendRequest } from "../outbound/send-request.ts";
import type { Witness } from "./build-log.ts";
import type { LogDeps } from "./checkpoint.ts";
import { keepInLog } from "./keep-in-log.ts";
import {
  hasNote,
  insertConflict,
  insertCosignature,
  listConflicts,
  listOrgIds,
  lookUpLatestNote,
  lookUpOrigin,
  readCosignedSize,
} from "./note-store.ts";
import { hasEntriesFrom } from "./renewal-store.ts";
import { storedNodes } from "./tree.ts";

// A witness that answers each time with another size is asked again in an hour.
const MAX_ASKED = 4;

/** Asks every witness for a cosignature of the latest note, and records what it answered. Returns the errors, for the service's own log. */
export async function askWitnesses(deps: LogDeps, signal: AbortSignal = new AbortController().signal): Promise<string[]> {
  const errors = await Promise.all(deps.notes.witnesses.map((witness) => askWitness(deps, witness, signal)));
  return errors.filter((error) => error !== null);
}

async function askWitness(deps: LogDeps, witness: Witness, signal: AbortSignal): Promise<string | null> {
  let known: number | null = null;
  for (let asked = 0; asked < MAX_ASKED; asked += 1) {
    const old: number | null = known;
    const prepared: Prepared | null = await deps.db.system((tx) => prepareRequest(tx, witness, old));
    if (prepared === null) return null;
    const answer = answerOf(prepared, await post(deps, witness, prepared, signal));
    const settled: Settled = await deps.db.system((tx) => settleAnswer(tx, witness, prepared, answer));
    if (settled.kind !== "again") return settled.error;
    known = settled.known;
  }
  return `${witness.key.name} has another size each time`;
}

interface Prepared {
  readonly origin: string;
  readonly tree_size: number;
  /** its text is what the witness cosigns */
  readonly note: Note;
  /** the size of the latest note that the witness cosigned, as far as we know */
  readonly old: number;
  readonly body: Buffer;
}

/** Null if there is no note yet, or the witness has cosigned the latest one. `known`: the size that the witness said it has. */
async function prepareRequest(tx: Tx, { vkey }: Witness, known: number | null): Promise<Prepared | null> {
  const [latest, origin] = [await lookUpLatestNote(tx), await lookUpOrigin(tx)];
  // After a restart the latest note may still have the earlier name.
  if (latest === null || origin === null || !(await hasNote(tx, latest.tree_size, origin))) return null;
  const cosigned = await readCosignedSize(tx, vkey, origin);
  if (cosigned === latest.tree_size) return null;
  // The record of a cosignature is a leaf too. Otherwise each cosignature would cause the next one.
  if (cosigned > 0 && known === null && !(await hasEntriesFrom(tx, cosigned))) return null;
  const old = known ?? cosigned;
  // Another process has asked about a newer note meanwhile.
  if (old > latest.tree_size) return null;
  const proof = old === 0 ? [] : await proofOfConsistency(old, latest.tree_size, storedNodes(tx));
  const lines = [`old ${old}`, ...proof.map((hash) => Buffer.from(hash, "hex").toString("base64"))];
  const body = Buffer.concat([Buffer.from(`${lines.join("\n")}\n\n`), latest.note]);
  const note = readNote(latest.note);
  if (note === null) throw new Error(`the note of checkpoint ${latest.tree_size} cannot be read`);
  return { origin, tree_size: latest.tree_size, note, old, body };
}

const post = ({ notes }: LogDeps, { url }: Witness, { body }: Prepared, signal: AbortSignal): Promise<Result> =>
  sendRequest(
    notes.outbound,
    { method: "POST", url: `${url}/add-checkpoint`, headers: { "content-type": "text/plain; charset=utf-8" }, body },
    signal,
  );

type Answer =
  | { readonly kind: "cosigned"; readonly text: string }
  /** its latest size, which is not the one that we proved from */
  | { readonly kind: "other_size"; readonly size: number }
  | { readonly kind: "conflict"; readonly size: number | null; readonly says: string }
  | { readonly kind: "error"; readonly error: string };

function answerOf({ old }: Prepared, result: Result): Answer {
  if (result.kind === "failed") return { kind: "error", error: result.error };
  const text = result.body.toString("utf8");
  if (result.code === 200) return { kind: "cosigned", text };
  if (result.code === 422) return { kind: "conflict", size: old, says: "our proof does not fit what the witness has seen" };
  const size = /^(0|[1-9][0-9]{0,15})\n?$/.test(text) ? Number(text) : null;
  if (result.code !== 409 || size === null) return { kind: "error", error: `the witness answered ${result.code}` };
  // It has the size that we proved from, so it has another root.
  return size === old ? { kind: "conflict", size, says: "the witness has another root of the same size" } : { kind: "other_size", size };
}

type Settled = { readonly kind: "done"; readonly error: string | null } | { readonly kind: "again"; readonly known: number };

async function settleAnswer(tx: Tx, witness: Witness, prepared: Prepared, answer: Answer): Promise<Settled> {
  const { key, vkey } = witness;
  const row = { tree_size: prepared.tree_size, vkey };
  const failed = async (error: string): Promise<Settled> => {
    await insertCosignature(tx, { ...row, error });
    return { kind: "done", error: `${key.name}: ${error}` };
  };
  if (answer.kind === "error") return failed(answer.error);
  if (answer.kind === "cosigned") {
    const { text, signatures } = prepared.note;
    const line = cosignatureIn(answer.text, text, key)?.line;
    if (line === undefined) return failed("the answer has no valid cosignature");
    await insertCosignature(tx, { ...row, line });
    // A later time stamp then covers the cosignature, also when the witness's key is old.
    await keepInLog(tx, "note", writeNote(text, [...signatures.map((each) => each.line), line]));
    return { kind: "done", error: null };
  }
  if (answer.kind === "other_size") {
    if (answer.size === 0 || (await hasNote(tx, answer.size, prepared.origin))) return { kind: "again", known: answer.size };
    const says = `the witness has cosigned ${answer.size} leaves, of which this database knows nothing`;
    return recordConflict(tx, witness, prepared, answer.size, says);
  }
  return recordConflict(tx, witness, prepared, answer.size, answer.says);
}

/** The log goes on: a witness must not be able to stop it. Admins are told once, until the conflict has ended. */
async function recordConflict(
  tx: Tx,
  { key, vkey }: Witness,
  { tree_size }: Prepared,
  size: number | null,
  says: string,
): Promise<Settled> {
  const isKnown = (await listConflicts(tx)).some((open) => open.vkey === vkey);
  await insertCosignature(tx, { tree_size, vkey, error: `conflict: ${says}` });
  if (!isKnown) {
    await insertConflict(tx, { vkey, tree_size, witness_size: size, says });
    await tellAdmins(tx, key.name, says);
  }
  return { kind: "done", error: `${key.name}: conflict: ${says}` };
}

async function tellAdmins(tx: Tx, name: string, says: string): Promise<void> {
  for (const org_id of await listOrgIds(tx)) {
    await enqueue(tx, "orgs.notify-admins", {
      org_id,
      kind: "witness_conflict",
      subject: "A witness has seen another history of this installation's log",
      text: [
        `The witness ${name} refused to cosign the log of this installation: ${says}.`,
        "Either the database was restored from a backup that is older than what was published, or the log was changed, or the witness is wrong.",
        "The service continues. New compliance certificates carry a warning until the operator has settled this. After an older backup was accepted, the operator runs: countersign log restart",
      ].join("\n\n"),
    });
  }
}
