import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canonicalize, type Status, signRecord } from "@countersign/evidence";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Made, makeBundle, sharedKeys, strangersKeys } from "../test/make-bundle.ts";
import { runCli } from "./cli.ts";
import { statusCommand } from "./status-command.ts";

let folder: string;
let made: Made;
let bundle: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "countersign-status-"));
  made = await makeBundle();
  bundle = put("bundle.zip", made.zip);
});
afterAll(() => rmSync(folder, { recursive: true }));

function put(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const HASH = "9f2c41d003aaf0ff1f2c41d003aaf0ff2f2c41d003aaf0ff3f2c41d003aaf0ff";
const status: Status = {
  type: "countersign/status/1",
  status_url: `https://sign.example.com/v/${HASH.slice(0, 32)}`,
  state: "exported",
  stored_at: "2026-03-05T04:00:00.000Z",
  state_since: "2026-03-05T05:00:00.000Z",
  as_of: { at: "2026-03-05T06:00:00.000Z", tree_size: 42 },
  document_sha256: HASH,
  certificate: { revision: 2, pdf_sha256: HASH, evaluated_at: "2026-03-05T05:01:00.000Z" },
  parties: { organization: "Example Company", secured_party: null },
  file: { sha256: HASH, known_as: "authoritative", revision: null },
};

type Signer = Awaited<ReturnType<typeof sharedKeys>>;

function answer(document: object, { records, key_id }: Signer, more: object = {}): string {
  const { signature } = signRecord(document as Status, records.privateKey);
  return put("answer.json", canonicalize({ document, signature: Buffer.from(signature).toString("hex"), key_id, ...more } as never));
}

async function run(...args: readonly string[]): Promise<{ code: number; text: string }> {
  let text = "";
  const code = await runCli(["status", ...args], (more) => {
    text += more;
  });
  return { code, text };
}

test("an answer of the pinned installation is verified and said in its own words", async () => {
  const { code, text } = await run(answer(status, await sharedKeys()), "--keys", bundle, "--root", made.root);
  expect([code, text.split("\n")]).toEqual([
    0,
    [
      `Record           ${status.status_url}`,
      "State            exported, since 2026-03-05T05:00:00.000Z",
      "As of            2026-03-05T06:00:00.000Z, log of 42 entries",
      "Stored           2026-03-05T04:00:00.000Z",
      `Document         SHA-256 ${HASH}`,
      `Certificate      revision 2 of 2026-03-05T05:01:00.000Z, SHA-256 ${HASH}`,
      "Organization     Example Company",
      "Secured party    none named",
      `File             ${HASH} has the recorded hash of the authoritative copy`,
      "",
      "VERIFIED",
      "",
    ],
  ]);
});

test("without --root it is only consistent; an older one than --max-age is too old", async () => {
  const path = answer(status, await sharedKeys());
  expect(await run(path, "--keys", bundle)).toMatchObject({ code: 3, text: expect.stringMatching(/\nCONSISTENT, SIGNER NOT PINNED\n$/) });
  let text = "";
  const later = statusCommand(() => new Date("2026-03-07T06:00:00.000Z"));
  const code = await later.run([path, "--keys", bundle, "--root", made.root, "--max-age", "24h"], (more) => {
    text += more;
  });
  expect([code, text]).toEqual([4, expect.stringMatching(/\nThe answer is as of 2026-03-05T06:00:00.000Z, .*\n\nTOO OLD\n$/)]);
});

describe("an answer is refused", () => {
  const pinned = () => ["--keys", bundle, "--root", made.root];

  test("with another word than was signed, and of a key that the list does not have", async () => {
    const keys = await sharedKeys();
    const path = answer(status, keys, { document: { ...status, state: "active" } });
    expect(await run(path, ...pinned())).toEqual({ code: 1, text: "the answer: is not signed by its key\n\nFAILED\n" });
    const strange = await run(answer(status, await strangersKeys()), ...pinned());
    expect([strange.code, strange.text]).toEqual([
      1,
      expect.stringMatching(/^the answer: key \w{64} was not valid at .* get the installation's present trust document\.\n\nFAILED\n$/),
    ]);
  });

  test("under another root than the pinned one", async () => {
    expect(await run(answer(status, await sharedKeys()), "--keys", bundle, "--root", HASH)).toMatchObject({
      code: 1,
      text: expect.stringContaining(`but --root is ${HASH}`),
    });
  });

  test.each([
    ["a member too many", { ...status, extra: 1 }],
    ["another type", { ...status, type: "countersign/status/2" }],
    ["an address that moves the cursor", { ...status, status_url: "https://a\u001b[2J" }],
    ["a state that is no word", { ...status, state: "VERIFIED\n" }],
    ["no time", { ...status, as_of: { at: "today", tree_size: 42 } }],
    ["a log without entries", { ...status, as_of: { ...status.as_of, tree_size: 0 } }],
    ["no certificate", { ...status, certificate: null }],
    ["a hash that is none", { ...status, document_sha256: "00" }],
    ["a party too many", { ...status, parties: { organization: "A", secured_party: null, third: "B" } }],
    ["a file of another kind", { ...status, file: { sha256: HASH, known_as: "best", revision: null } }],
  ])("with %s, although it is signed", async (_what, document) => {
    expect(await run(answer(document, await sharedKeys()), ...pinned())).toEqual({
      code: 1,
      text: "the answer: is not a status in canonical form\n\nFAILED\n",
    });
  });

  test("that is not canonical, or no JSON at all", async () => {
    for (const text of [JSON.stringify({ document: status }, null, 2), "no", ""]) {
      expect((await run(put("odd.json", text), ...pinned())).text).toBe("the answer: is not a status in canonical form\n\nFAILED\n");
    }
  });

  test("with a trust document that is none", async () => {
    const path = answer(status, await sharedKeys());
    expect(await run(path, "--keys", put("trust.json", "{}"))).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^the trust document: /),
    });
    expect(await run(path, "--keys", put("trust.json", "{"))).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^the trust document: /),
    });
  });
});

test("wrong usage is exit code 2: no --keys, no answer, no such file", async () => {
  const path = answer(status, await sharedKeys());
  expect(await run(path)).toMatchObject({ code: 2, text: expect.stringContaining("Give the list of keys with --keys.") });
  expect((await run("--keys", bundle)).code).toBe(2);
  expect((await run(path, "--keys", join(folder, "missing.zip"))).code).toBe(2);
  expect((await run(path, "--keys", bundle, "--root", "12")).code).toBe(2);
  expect((await run(path, "--keys", bundle, "--max-age", "soon")).code).toBe(2);
});
