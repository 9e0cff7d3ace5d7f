import { noteKeyOf, noteKeyTypes, rawKeyOf, writeVkey } from "@countersign/evidence";
import type { Read } from "../db/sql.ts";
import { listInstanceKeys } from "../seals/store.ts";
import type { LogDeps } from "./checkpoint.ts";
import { listConflicts, listLogKeys, listRestarts, lookUpOrigin, readLastAnswers } from "./note-store.ts";
import type { TransparencyState } from "./present.ts";
import { lookUpLatestCheckpoint } from "./store.ts";

/** The log as its operator and the members see it: name, latest state, witnesses and what they object to, and the installation's keys. */
export async function readTransparency({ notes }: Pick<LogDeps, "notes">, read: Read): Promise<TransparencyState> {
  const origin = await lookUpOrigin(read);
  const witnesses: TransparencyState["witnesses"][number][] = [];
  for (const witness of notes.witnesses) witnesses.push({ witness, ...(await readLastAnswers(read, witness.vkey)) });
  return {
    origin,
    vkeys: origin === null ? [] : await listVkeys(read, origin),
    address: notes.address,
    is_public: notes.isPublic,
    latest: await lookUpLatestCheckpoint(read),
    quorum: notes.quorum,
    witnesses,
    conflicts: await listConflicts(read),
    restarts: await listRestarts(read),
    keys: await listInstanceKeys(read),
  };
}

/** The keys of the log as text, newest first: what witnesses are given. */
export async function listVkeys(read: Read, origin: string): Promise<string[]> {
  const keys = await listLogKeys(read);
  return keys.map(({ public_key }) => writeVkey(noteKeyOf(origin, noteKeyTypes.ed25519, rawKeyOf(public_key)))).reverse();
}
