import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type NoteKey, noteKeyOf, noteKeyTypes, writeVkey } from "@countersign/evidence";
import { afterAll } from "vitest";
import { listen } from "../../verify/src/witness/listen.ts";
import { openWitnessKey } from "../../verify/src/witness/witness-key.ts";
import { openWitnessState } from "../../verify/src/witness/witness-state.ts";

/** Two witnesses of a log: one as others run it, and one that answers what the test wants. */
export interface TestWitnesses {
  /** the setting WITNESSES */
  readonly setting: string;
  readonly names: { readonly real: string; readonly scripted: string };
  /** the keys of logs that the real one cosigns */
  readonly logs: NoteKey[];
  /** what the scripted one answers from now on; null: it closes the connection */
  answer(status: number | null): void;
}

export async function testWitnesses(): Promise<TestWitnesses> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-witnesses-"));
  const logs: NoteKey[] = [];
  const own = openWitnessKey(join(folder, "key"), "witness.example/w1");
  const real = await listen({ own, logs, state: openWitnessState(join(folder, "state")), now: Date.now }, "127.0.0.1", 0, () => undefined);
  let status: number | null = null;
  const peer = createServer((request, response) => {
    if (status === null) request.destroy();
    else request.resume().once("end", () => response.writeHead(status ?? 500, { "content-type": "text/plain" }).end("no\n"));
  });
  peer.listen(0, "127.0.0.1");
  await once(peer, "listening");
  afterAll(async () => {
    await Promise.all([real.close(), new Promise((resolve) => peer.close(resolve))]);
    rmSync(folder, { recursive: true });
  });
  const scripted = noteKeyOf("witness.example/w2", noteKeyTypes.cosignature, Buffer.alloc(32, 1));
  const url = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`;
  return {
    setting: `${writeVkey(own.key)} ${real.url},${writeVkey(scripted)} ${url}`,
    names: { real: own.key.name, scripted: scripted.name },
    logs,
    answer: (next) => {
      status = next;
    },
  };
}
