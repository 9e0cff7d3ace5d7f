import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cosign, readNote, tilePath, tilesOf, writeNote, writeVkey } from "@countersign/evidence";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Made, makeBundle, strangersKeys } from "../../test/make-bundle.ts";
import { hashesOf, makeLogKeys, type TestLog, testLog } from "../../test/test-log.ts";
import { runCli } from "../cli.ts";
import { openWitnessKey } from "../witness/witness-key.ts";

let folder: string;
let made: Made;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "countersign-compare-"));
  made = await makeBundle();
});
afterAll(() => rmSync(folder, { recursive: true }));

function put(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return path;
}

function putTiles(name: string, log: TestLog): string {
  for (const tile of tilesOf(log.hashes.length)) put(join(name, tilePath(tile)), log.serve(tilePath(tile)) ?? Buffer.alloc(0));
  return join(folder, name);
}

async function run(...args: readonly string[]): Promise<{ code: number; text: string }> {
  let text = "";
  const code = await runCli(args, (more) => {
    text += more;
  });
  return { code, text };
}

const actor = { kind: "system", id: "system" };
const accessed = (by: string) => ({
  type: "vault.document.accessed",
  actor,
  data: { what: "evidence", by, ip: "127.0.0.1", user_agent: "a browser" },
});

describe("two bundles", () => {
  test("of one history do not contradict each other, and it is not said that they are the same", async () => {
    const [one, later] = [put("a.zip", made.zip), put("b.zip", (await makeBundle({}, { later: [accessed("usr_ann")] })).zip)];
    const { code, text } = await run("compare", one, later, "--root", made.root);
    expect([code, text]).toEqual([0, expect.stringMatching(/^NO CONTRADICTION FOUND \([1-9]\d* nodes compared\)\n$/)]);
  });

  test("of two histories of one envelope are a fork", async () => {
    const [one, other] = await Promise.all(["usr_ann", "usr_bob"].map(async (by) => (await makeBundle({}, { later: [accessed(by)] })).zip));
    const { code, text } = await run("compare", put("c.zip", one ?? made.zip), put("d.zip", other ?? made.zip));
    expect([code, text]).toEqual([1, expect.stringMatching(/^FORK: entry \d+ of org_a\/env_a is not the same in both\n$/)]);
  });

  test("are not compared if one of them was changed, or if they have different roots", async () => {
    const bytes = Buffer.from(made.zip);
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
    const [good, changed] = [put("e.zip", made.zip), put("f.zip", bytes)];
    expect(await run("compare", good, changed)).toMatchObject({ code: 1, text: expect.stringMatching(/^FAILED /) });
    const stranger = put("g.zip", (await makeBundle({}, {}, await strangersKeys())).zip);
    expect(await run("compare", good, stranger)).toMatchObject({ code: 2, text: expect.stringContaining("different roots") });
  });
});

describe("two notes", () => {
  const keys = makeLogKeys();
  const log = testLog(keys, hashesOf(400));
  const forked = testLog(keys, [...hashesOf(300), ...hashesOf(100, "other")]);
  const vkey = writeVkey(keys.key);

  test("of the same size with different roots are a fork", async () => {
    const [one, other] = [put("1.note", log.note()), put("2.note", forked.note())];
    const { code, text } = await run("compare", one, other, "--log", vkey);
    expect([code, text]).toEqual([1, expect.stringMatching(/^FORK: leaves 0 to 399 have the hash /)]);
  });

  test("of different sizes need tiles, which make any fork visible", async () => {
    const [one, other, same] = [put("3.note", log.note()), put("4.note", forked.note(350)), put("5.note", log.note(350))];
    const tiles = putTiles("tiles", log);
    expect(await run("compare", one, other, "--log", vkey)).toEqual({ code: 0, text: "NO CONTRADICTION FOUND (0 nodes compared)\n" });
    expect(await run("compare", one, other, "--log", vkey, "--tiles", tiles)).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^FORK: leaves 0 to 349 have the hash [0-9a-f]{64} in the tiles of checkpoint 400 and /),
    });
    expect(await run("compare", one, same, "--log", vkey, "--tiles", tiles)).toEqual({
      code: 0,
      text: "NO CONTRADICTION FOUND (1 nodes compared)\n",
    });
  });

  test("need tiles of this log", async () => {
    const [one, other] = [put("6.note", log.note()), put("7.note", log.note(350))];
    const tiles = putTiles("wrong-tiles", testLog(keys, hashesOf(400, "wrong")));
    expect(await run("compare", one, other, "--log", vkey, "--tiles", tiles)).toEqual({
      code: 2,
      text: "the tiles make the root of neither side\n",
    });
  });

  test("before and after a declared restart are no fork", async () => {
    const renamed = makeLogKeys(`${keys.key.name}/2`);
    const after = testLog(renamed, forked.hashes);
    const [one, other] = [put("8.note", log.note()), put("9.note", after.note())];
    const { code, text } = await run("compare", one, other, "--log", vkey, "--log", writeVkey(renamed.key));
    expect([code, text]).toEqual([0, expect.stringMatching(/^LOG RESTARTED \(declared\): leaves 0 to 399 /)]);
  });

  test("must be signed by the log and belong to one log", async () => {
    const [one, impostor] = [put("10.note", log.note()), put("11.note", testLog(makeLogKeys(keys.key.name), hashesOf(400)).note())];
    expect(await run("compare", one, impostor, "--log", vkey)).toMatchObject({
      code: 1,
      text: expect.stringContaining("is not signed by"),
    });
    const stranger = makeLogKeys("other.example/log");
    const foreign = put("12.note", testLog(stranger, hashesOf(400)).note());
    expect(await run("compare", one, foreign, "--log", vkey, "--log", writeVkey(stranger.key))).toEqual({
      code: 2,
      text: "The two belong to different logs.\n",
    });
  });
});

test("wrong usage is explained", async () => {
  for (const args of [["a"], ["a", "b", "c"], ["a", "b", "--log", "x"], ["a", "b", "--root", "x"], ["a", "b", "--what"]]) {
    expect(await run("compare", ...args)).toMatchObject({ code: 2, text: expect.stringContaining("countersign-verify compare <A> <B>") });
  }
  expect(await run("compare", join(folder, "none.zip"), join(folder, "none.zip"))).toMatchObject({
    code: 2,
    text: expect.stringContaining("ENOENT"),
  });
});

describe("verify --witness", () => {
  const origin = "sign.example.com/log/log_a";
  /** a cosigned note of the bundle's latest checkpoint, in a folder of its own */
  function cosigned(name: string, witnesses: readonly string[], change = (text: string) => text): { notes: string; vkeys: string[] } {
    const checkpoint = JSON.parse(Buffer.from(made.parts.latest.bytes).toString()) as { tree_size: number; root: string };
    const text = change(`${origin}\n${checkpoint.tree_size}\n${Buffer.from(checkpoint.root, "hex").toString("base64")}\n`);
    const own = witnesses.map((each) => openWitnessKey(join(folder, `${name}-${each}.key`), `witness.example/${each}`));
    const note = writeNote(
      text,
      own.map(({ key, private_key }) => cosign(text, key, private_key, 1_800_000_000)),
    );
    if (readNote(note) === null) throw new Error("not a note");
    put(join(name, "1.note"), note);
    return { notes: join(folder, name), vkeys: own.map(({ key }) => writeVkey(key)) };
  }
  const flags = (vkeys: readonly string[]) => vkeys.flatMap((vkey) => ["--witness", vkey]);

  test("accepts a bundle whose log these witnesses cosigned, and says when", async () => {
    const { notes, vkeys } = cosigned("both", ["w1", "w2"]);
    const { code, text } = await run(put("h.zip", made.zip), "--root", made.root, ...flags(vkeys), "--notes", notes);
    expect(code).toBe(0);
    expect(text).toMatch(
      /Witness witness\.example\/w2 cosigned checkpoint \d+ of sign\.example\.com\/log\/log_a at 2027-01-15T08:00:00\.000Z\./,
    );
  });

  test("refuses a bundle without these cosignatures, and one with fewer than the quorum", async () => {
    const bundle = put("i.zip", made.zip);
    const one = cosigned("one", ["w1"]);
    const missing = writeVkey(openWitnessKey(join(folder, "w3.key"), "witness.example/w3").key);
    const all = [...flags([...one.vkeys, missing]), "--notes", one.notes];
    expect(await run(bundle, "--root", made.root, ...flags(one.vkeys))).toMatchObject({ code: 1 });
    expect(await run(bundle, "--root", made.root, ...all)).toMatchObject({
      code: 1,
      text: expect.stringContaining("is cosigned by 1 of the witnesses given with --witness, not by 2"),
    });
    expect(await run(bundle, "--root", made.root, ...all, "--quorum", "1")).toMatchObject({ code: 0 });
  });

  test("refuses cosignatures of another tree, and of a name that differs between witnesses", async () => {
    const bundle = put("j.zip", made.zip);
    const other = cosigned("other", ["w1"], (text) => text.replace(/\n\d+\n/, "\n1\n"));
    expect(await run(bundle, "--root", made.root, ...flags(other.vkeys), "--notes", other.notes)).toMatchObject({ code: 1 });
    const first = cosigned("names", ["w1"]);
    const second = cosigned("names2", ["w2"], (text) => text.replace(origin, "other.example/log"));
    put(join("names", "2.note"), readFileSync(join(second.notes, "1.note")));
    const both = [...flags([...first.vkeys, ...second.vkeys]), "--notes", first.notes];
    expect(await run(bundle, "--root", made.root, ...both)).toMatchObject({
      code: 1,
      text: expect.stringContaining("is cosigned by 1 of"),
    });
  });

  test("explains wrong usage", async () => {
    const vkey = writeVkey(makeLogKeys().key);
    for (const args of [
      ["--witness", vkey],
      ["--notes", folder],
      ["--witness", "x"],
    ]) {
      expect(await run("a.zip", ...args)).toMatchObject({ code: 2 });
    }
  });
});
