import { expect, test } from "vitest";
import { noteKeyOf, noteKeyTypes, writeVkey } from "../../note.ts";
import { externalTime } from "./external-time.ts";

const at = (second: number) => `2026-03-05T04:00:0${second}.000Z`;
const seenBy = (name: string, key: number, second: number) => ({
  tree_size: 9,
  kind: "cosignature" as const,
  at: at(second),
  by: writeVkey(noteKeyOf(name, noteKeyTypes.cosignature, Buffer.alloc(32, key))),
  valid: true,
});
const factsWith = (...times: ReturnType<typeof seenBy>[]) => ({
  times,
  log: { witness_quorum: 2, witness_conflict: false, public: true },
  chain: { milestones: [] } as never,
});

test("of witnesses, the one that completes the quorum decides the time", () => {
  expect(externalTime(factsWith(seenBy("w.example/1", 1, 1), seenBy("w.example/2", 2, 3)))).toMatchObject({ at: at(3) });
  expect(externalTime(factsWith(seenBy("w.example/1", 1, 1)))).toBeNull();
});

test("one key under two names is one witness", () => {
  expect(externalTime(factsWith(seenBy("w.example/1", 1, 1), seenBy("w.example/2", 1, 3)))).toBeNull();
});
