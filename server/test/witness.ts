import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type NoteKey, writeVkey } from "@countersign/evidence";
import { afterAll } from "vitest";
import type { Witness as RunningWitness } from "../../verify/src/witness/cosign-checkpoint.ts";
import { type Listening, listen } from "../../verify/src/witness/listen.ts";
import { openWitnessKey } from "../../verify/src/witness/witness-key.ts";
import { openWitnessState } from "../../verify/src/witness/witness-state.ts";
import type { Witness } from "../src/transparency/build-log.ts";

export interface WitnessPeer {
  readonly witness: Witness;
  readonly running: RunningWitness;
  readonly listening: Listening;
}

export interface Witnesses {
  /** for the keys and states of its witnesses */
  readonly folder: string;
  /** a witness on loopback, as others run it, for the log with this key */
  start(log: NoteKey): Promise<WitnessPeer>;
}

/** The witnesses of a test file. They keep their state in a folder that is removed with the file. */
export function testWitnesses(): Witnesses {
  const folder = mkdtempSync(join(tmpdir(), "countersign-witnesses-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  let count = 0;
  return {
    folder,
    start: async (log) => {
      const name = `witness.example/w${++count}`;
      const own = openWitnessKey(join(folder, `key-${count}`), name);
      const running: RunningWitness = { own, logs: [log], state: openWitnessState(join(folder, `state-${count}`)), now: Date.now };
      const listening = await listen(running, "127.0.0.1", 0, () => undefined);
      return { witness: { key: own.key, vkey: writeVkey(own.key), url: listening.url }, running, listening };
    },
  };
}
