import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cosignatureBy, type NoteKey, noteKeyTypes, readNote, readTreeHead, readVkey, writeVkey } from "@countersign/evidence";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hashesOf, makeLogKeys, type TestLog, testLog } from "../../test/test-log.ts";
import { cosignCheckpoint, type Witness } from "./cosign-checkpoint.ts";
import { listen } from "./listen.ts";
import { type Fetch, pollOnce } from "./poll.ts";
import { runWitness } from "./witness-command.ts";
import { openWitnessKey } from "./witness-key.ts";
import { openWitnessState } from "./witness-state.ts";

const keys = makeLogKeys();
const log = testLog(keys, hashesOf(700));
/** the same log with another history from leaf 300 on */
const forked = testLog(keys, [...hashesOf(300), ...hashesOf(400, "other")]);
const NOW = 1_800_000_000_123;

let folder: string;
let witness: Witness;
const open = (logs: readonly NoteKey[] = [keys.key]): Witness => ({
  own: openWitnessKey(join(folder, "key"), "witness.example/w1"),
  logs,
  state: openWitnessState(join(folder, "state")),
  now: () => NOW,
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-witness-"));
  witness = open();
});
afterEach(() => {
  witness.state.close();
  rmSync(folder, { recursive: true });
});

const ask = async (of: TestLog, old: number, size: number, claimed = old) =>
  cosignCheckpoint(witness, await of.request(old, size, claimed));

describe("a witness", () => {
  test("cosigns the first checkpoint, and later ones that extend it", async () => {
    const first = await ask(log, 0, 300);
    expect(first.status).toBe(200);
    expect((await ask(log, 300, 700)).status).toBe(200);
    const note = readNote(Buffer.concat([log.note(300), Buffer.from(first.body)]));
    expect(note === null ? null : cosignatureBy(note, witness.own.key)?.seconds).toBe(1_800_000_000);
    expect(witness.state.latest(keys.key.name)?.tree_size).toBe(700);
  });

  test("repeats a cosignature for the same checkpoint", async () => {
    await ask(log, 0, 300);
    expect((await ask(log, 300, 300)).status).toBe(200);
  });

  test.each([
    ["a fork that extends the latest checkpoint with another tree", 350, 400, 422],
    ["another tree of the same size", 350, 350, 409],
    ["a smaller tree", 310, 320, 409],
  ])("refuses %s and keeps its state", async (_what, old, size, status) => {
    await ask(log, 0, 350);
    const before = readFileSync(join(folder, "state", readdirSync(join(folder, "state")).find((name) => name.endsWith(".note")) ?? ""));
    const answer = cosignCheckpoint(witness, await forked.request(old, size));
    expect(answer.status).toBe(status);
    expect(witness.state.latest(keys.key.name)?.note.text).toBe(readNote(before)?.text);
  });

  test("answers an old size that is not its own with 409, its own size and the type of the format", async () => {
    expect(await ask(log, 300, 400)).toEqual({ status: 409, type: "text/x.tlog.size", body: "0\n" });
    await ask(log, 0, 300);
    expect(await ask(log, 0, 400)).toEqual({ status: 409, type: "text/x.tlog.size", body: "300\n" });
  });

  test("answers an unknown log with 404, a wrong signature with 403 and an old size that is too large with 400", async () => {
    const stranger = testLog(makeLogKeys("other.example/log"), hashesOf(5));
    const impostor = testLog(makeLogKeys(keys.key.name), hashesOf(5));
    expect((await ask(stranger, 0, 5)).status).toBe(404);
    expect((await ask(impostor, 0, 5)).status).toBe(403);
    expect((await ask(log, 0, 5, 6)).status).toBe(400);
    expect(witness.state.latest(keys.key.name)).toBeNull();
  });

  test("refuses a proof with the first checkpoint", async () => {
    const body = await log.request(0, 300);
    const withProof = Buffer.concat([Buffer.from(`old 0\n${Buffer.alloc(32).toString("base64")}\n`), body.subarray(6)]);
    expect(cosignCheckpoint(witness, withProof).status).toBe(422);
  });

  test.each([
    ["nothing", ""],
    ["no old size", "\n\n"],
    ["an old size with a zero before it", "old 01\n\n"],
    ["a negative old size", "old -1\n\n"],
    ["a short hash", "old 1\nAAAA\n\n"],
    ["64 hashes", `old 1\n${`${Buffer.alloc(32).toString("base64")}\n`.repeat(64)}\n`],
    ["no checkpoint", "old 0\n\nhello\n"],
  ])("answers a request with %s with 400", (_what, text) => {
    const body = text.startsWith("old") && !text.includes("hello") ? Buffer.concat([Buffer.from(text), log.note(5)]) : Buffer.from(text);
    expect(cosignCheckpoint(witness, body).status).toBe(400);
  });

  test("after a rotation accepts a note that either key of the log signed", async () => {
    const rotated = makeLogKeys();
    witness = { ...witness, logs: [keys.key, rotated.key] };
    expect((await ask(log, 0, 10)).status).toBe(200);
    expect((await ask(testLog(rotated, hashesOf(20)), 10, 20)).status).toBe(200);
  });

  test("knows after a restart what it has cosigned", async () => {
    await ask(log, 0, 350);
    witness.state.close();
    witness = open();
    expect((await ask(forked, 350, 400)).status).toBe(422);
    expect((await ask(log, 350, 400)).status).toBe(200);
  });

  test("does not begin anew with a damaged state", async () => {
    await ask(log, 0, 350);
    const name = readdirSync(join(folder, "state")).find((each) => each.endsWith(".note")) ?? "";
    writeFileSync(join(folder, "state", name), "");
    await expect(ask(forked, 0, 400)).rejects.toThrow("is damaged");
  });

  test("shares its state with no other running process", () => {
    // The process that runs this one.
    writeFileSync(join(folder, "state", "lock"), String(process.ppid));
    expect(() => openWitnessState(join(folder, "state"))).toThrow(`Process ${process.ppid} uses this state`);
  });
});

describe("the key of a witness", () => {
  test("is made once, readable only by its owner, with the type of a cosignature", () => {
    const path = join(folder, "key");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readVkey(writeVkey(witness.own.key))).toMatchObject({ name: "witness.example/w1", type: noteKeyTypes.cosignature });
    expect(openWitnessKey(path, "another/name").key).toEqual(witness.own.key);
  });

  test("is refused if other users can read it, or if it is damaged", () => {
    const path = join(folder, "key");
    chmodSync(path, 0o640);
    expect(() => openWitnessKey(path, "w")).toThrow("can be read by other users");
    chmodSync(path, 0o600);
    writeFileSync(path, readFileSync(path, "utf8").replace("w1", "w2"));
    expect(() => openWitnessKey(path, "w")).toThrow("its ID does not fit");
  });
});

describe("over HTTP", () => {
  test("of many checkpoints at once one is cosigned, and the others learn its size", async () => {
    const lines: string[] = [];
    const { url, close } = await listen(witness, "127.0.0.1", 0, (line) => lines.push(line));
    try {
      const bodies = await Promise.all(Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? log : forked).request(0, 400 + at)));
      const answers = await Promise.all(
        bodies.map(async (body) => {
          const response = await fetch(`${url}/add-checkpoint`, { method: "POST", body: new Uint8Array(body) });
          return { status: response.status, type: response.headers.get("content-type"), body: await response.text() };
        }),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const size = witness.state.latest(keys.key.name)?.tree_size;
      expect(answers.filter(({ status }) => status !== 200)).toEqual(
        Array.from({ length: 19 }, () => ({ status: 409, type: "text/x.tlog.size", body: `${size}\n` })),
      );
      expect(lines).toHaveLength(20);
    } finally {
      await close();
    }
  });

  test("other paths are 404, other methods 405, and a body without end is 413", async () => {
    const { url, close } = await listen(witness, "127.0.0.1", 0, () => undefined);
    try {
      const statusOf = async (path: string, init: RequestInit) => (await fetch(`${url}${path}`, init)).status;
      expect(await statusOf("/", {})).toBe(404);
      expect(await statusOf("/add-checkpoint", {})).toBe(405);
      expect(await statusOf("/add-checkpoint", { method: "POST", body: new Uint8Array(300_000) })).toBe(413);
    } finally {
      await close();
    }
  });
});

describe("a witness that polls", () => {
  const from =
    (of: TestLog): Fetch =>
    async (url) => {
      const bytes = of.serve(url.replace("log:/", ""));
      if (bytes === null) throw new Error(`404 ${url}`);
      return bytes;
    };
  const poll = (of: TestLog) => pollOnce(witness, from(of), "log:", join(folder, "out"));

  test("fetches the tiles, writes cosigned notes, and fetches no full tile twice", async () => {
    expect(await poll(testLog(keys, log.hashes.slice(0, 300)))).toEqual({ kind: "cosigned", tree_size: 300 });
    const asked: string[] = [];
    const counting: Fetch = (url, max) => {
      asked.push(url);
      return from(log)(url, max);
    };
    expect(await pollOnce(witness, counting, "log:", join(folder, "out"))).toEqual({ kind: "cosigned", tree_size: 700 });
    expect(asked).toEqual(["log:/checkpoint", "log:/tile/0/001", "log:/tile/0/002.p/188", "log:/tile/1/000.p/2"]);
    const note = readNote(readFileSync(join(folder, "out", "700.note")));
    expect(note === null ? null : [readTreeHead(note.text)?.tree_size, cosignatureBy(note, witness.own.key)?.seconds]).toEqual([
      700, 1_800_000_000,
    ]);
    expect(await poll(log)).toEqual({ kind: "unchanged", tree_size: 700 });
  });

  test("accepts an older checkpoint of the same history without cosigning it", async () => {
    await poll(log);
    expect(await poll(testLog(keys, log.hashes.slice(0, 300)))).toEqual({ kind: "older", tree_size: 300 });
    expect(witness.state.latest(keys.key.name)?.tree_size).toBe(700);
  });

  test.each([
    ["larger", 600],
    ["as large", 500],
    ["smaller", 400],
  ])("keeps a checkpoint of another history that is %s as evidence", async (_what, size) => {
    await poll(testLog(keys, log.hashes.slice(0, 500)));
    const polled = await poll(testLog(keys, forked.hashes.slice(0, size)));
    expect(polled).toMatchObject({ kind: "fork", tree_size: size });
    expect(readdirSync(join(folder, "out")).filter((name) => name.startsWith(`fork-${size}-`))).toHaveLength(1);
    expect(witness.state.latest(keys.key.name)?.tree_size).toBe(500);
  });

  test("cosigns nothing while the tiles do not make the root, and stores none of them", async () => {
    const lying: Fetch = async (url) => (url.includes("tile") ? from(forked) : from(log))(url, 0);
    expect(await pollOnce(witness, lying, "log:", join(folder, "out"))).toEqual({
      kind: "failed",
      says: "the tiles do not make the root of checkpoint 700",
    });
    const hidden: Fetch = async (url) => (url.endsWith("tile/0/001") ? from(forked) : from(log))(url, 0);
    expect(await pollOnce(witness, hidden, "log:", join(folder, "out"))).toEqual({
      kind: "failed",
      says: "tile/0/001 does not belong to the tree",
    });
    expect([existsSync(join(folder, "out", "tile")), witness.state.latest(keys.key.name)]).toEqual([false, null]);
  });
});

describe("countersign-verify witness", () => {
  async function run(...args: readonly string[]): Promise<{ code: number; text: string }> {
    let text = "";
    const write = (more: string) => {
      text += more;
    };
    return { code: await runWitness(args, write, () => AbortSignal.abort()), text };
  }
  const needed = () => ["--log", writeVkey(keys.key), "--key", join(folder, "own"), "--state", join(folder, "elsewhere"), "--name", "w/1"];

  test("prints its key and where it listens", async () => {
    const { code, text } = await run(...needed(), "--listen", "127.0.0.1:0");
    expect(code).toBe(0);
    expect(text).toMatch(/^w\/1\+[0-9a-f]{8}\+\S+\nlistening at http:\/\/127\.0\.0\.1:\d+\n$/);
  });

  test.each([
    [["--listen", "127.0.0.1:0", "--poll", "http://x"], "Give either --listen or --poll."],
    [["--listen", "8420"], "--listen must be an address and a port"],
    [["--poll", "example.com"], "--poll must be an address"],
    [["--poll", "http://x", "--every", "-1"], "--every"],
    [["--wrong"], "Unknown option"],
  ])("says what is wrong with %j", async (more, says) => {
    const { code, text } = await run(...needed(), ...more);
    expect([code, text.includes(says)]).toEqual([2, true]);
  });

  test("refuses the key of a witness as that of a log", async () => {
    const { code, text } = await run("--log", writeVkey(witness.own.key), "--key", "k", "--state", "s", "--listen", "127.0.0.1:0");
    expect([code, text.includes("--log must be the key of a log")]).toEqual([2, true]);
  });

  test("polls once, and its exit code says whether that worked", async () => {
    const { code, text } = await run(...needed(), "--poll", "http://127.0.0.1:1/log", "--every", "0");
    expect([code, text.includes("FAILED: http://127.0.0.1:1/log/checkpoint cannot be read")]).toEqual([1, true]);
  });
});
