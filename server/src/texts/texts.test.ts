import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { locales } from "../shared/locales.ts";
import { currentTexts } from "./current-texts.ts";
import { readTexts } from "./read-texts.ts";

const folder = fileURLToPath(new URL("../../texts/", import.meta.url));

/** A published text is never edited or removed, so that people who agreed to it can always read it again. New files get a new line. */
const PUBLISHED = {
  "agreement/2026-01.de.md": "d7cbaa33c93eeed04f9f5c1b2193a3465613ccfb3f4f80304cebc7bbb5411ab4",
  "agreement/2026-01.en.md": "8b3656d62eaf56cc12e97ced887e4a6e8a4d18c969813c5577173a0663db2cba",
  "agreement/2026-01.es.md": "84ce14e5c3ba4fd09e48f5baceb06bbe8f41f0243ef4aa2bbbb49dc7906e1788",
  "agreement/2026-01.fr.md": "3ed9d65872b35f8896fe6e63c6ab2d00941793755fca9088326d2a803e0b56eb",
  "disclosure/2026-01.de.md": "69b148cb498593bbcd0098278f2933bfa05fcceb5cc317422e0a4625e634797c",
  "disclosure/2026-01.en.md": "b80850ccca3161b1932f49eab7e498ef731bdd638003379b5104d077ff6c533e",
  "disclosure/2026-01.es.md": "75ebb05b41f5295d761dc1a2aba5547151c9de0754d0d058400662ad9f704f96",
  "disclosure/2026-01.fr.md": "25696e396d2ef0e39fcb3c89ffd1b97491c92b697b92319ab8323f0f739c0f59",
  "disclosure/2026-11.de.md": "7d2762a2bc506f10367c2f86f6f104c5418f082e93b1ca0e9c28872787e30b67",
  "disclosure/2026-11.en.md": "f1231944793c4ff985c12c2550c04158e5da0bcdf20be9be0692fd662c5ecb54",
  "disclosure/2026-11.es.md": "631734e3cbdc553851fc565f0369be1a0c7f5f8e352ee360e92da9feea7c3908",
  "disclosure/2026-11.fr.md": "f3faae44947d701a08222079968b89b8b329cb163143c5dc44b097f7f0ebc6e4",
  "intent/2026-01.de.txt": "128b31e1ee58ab11ec92b6fbb7ffeb9c61dc83143fb23725c2ba6d5fffe5504a",
  "intent/2026-01.en.txt": "a83ecc23d1fe5cbad2e2ac967901a407e12248d3d6eb173a3c14e709b4633985",
  "intent/2026-01.es.txt": "9eebf73ed4d84c756f51b2ab526363056d7e42f36f185f9c4087bba0c16e5243",
  "intent/2026-01.fr.txt": "bb06178b8c0a536815df9a1d5a6fc28acfe831140c6f6dee9868611e7075e248",
  "terms/2026-01.en.md": "e3f75a4de32b0eaf018482128c34c61b15ca4a684a2f379bfac5ada11d18b699",
};

test("every file of server/texts is as it was published, and none is gone", () => {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const hashes = found.map((path) => [path.slice(folder.length), createHash("sha256").update(readFileSync(path)).digest("hex")]);
  expect(Object.fromEntries(hashes)).toEqual(PUBLISHED);
});

test("every file is read, with the bytes that are hashed", () => {
  const { files } = readTexts();
  expect(files.map(({ sha256 }) => sha256).sort()).toEqual(Object.values(PUBLISHED).sort());
  for (const { sha256, text } of files) expect(createHash("sha256").update(text, "utf8").digest("hex")).toBe(sha256);
});

test.each([
  ["draft.md", "Draft"],
  ["2027-01.en.html", "<p>"],
  ["2027-01.en.md", Buffer.from([0xff])],
])("a file that cannot be published is refused, not skipped: %s", (name, content) => {
  const other = mkdtempSync(join(tmpdir(), "countersign-texts-"));
  try {
    mkdirSync(join(other, "terms"));
    writeFileSync(join(other, "terms", name), content);
    expect(() => readTexts(other)).toThrow(`terms/${name}`);
  } finally {
    rmSync(other, { recursive: true });
  }
});

test.each(["disclosure", "intent", "agreement"] as const)("the current %s is published in every language of the pages", (kind) => {
  expect(currentTexts(readTexts(), kind).map(({ locale }) => locale)).toEqual(locales);
});
