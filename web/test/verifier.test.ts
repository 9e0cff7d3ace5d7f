// The verifier as a page: opened from disk without a network, it prints the lines of the command.

import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect as vitestExpect } from "vitest";
import { makeOrg, type TestOrg } from "../../pdf/fixtures/certificates.ts";
import { signedWithPss } from "../../pdf/fixtures/sealed.ts";
import { formatStep, verdictOf } from "../../verify/src/format-report.ts";
import { unzipBundle } from "../../verify/src/unzip-bundle.ts";
import { verifyBundle } from "../../verify/src/verify-bundle.ts";
import { asListOfTests, makeBundle, sharedKeys } from "../../verify/test/make-bundle.ts";
import { addAxe, expectAccessible } from "./axe.ts";
import { expect, keptPage, newContext, type Page, test, testBrowser, testInAll, watchOf } from "./browser.ts";

testBrowser();

const page_url = pathToFileURL(fileURLToPath(new URL("../../verify/dist/package/verify.html", import.meta.url))).href;
const bundles = fileURLToPath(new URL("../../verify/fixtures/bundles/", import.meta.url));
const kept = JSON.parse(readFileSync(`${bundles}bundles.json`, "utf8")) as readonly {
  root: string;
  bundles: readonly { name: string }[];
}[];
const all = kept.flatMap(({ root, bundles: listed }) => listed.map(({ name }) => ({ name, root })));

// The origin of a page from disk.
const DISK = ["null"];

async function opened(): Promise<Page> {
  const page = await keptPage({ origins: DISK, prepare: withoutNetwork });
  await page.goto(page_url);
  return page;
}

const withoutNetwork = async (context: Parameters<typeof addAxe>[0]): Promise<void> => {
  await addAxe(context);
  await context.setOffline(true);
};

type Shown = { readonly outcome: string; readonly lines: readonly string[]; readonly notes: readonly string[] };

async function shownFor(page: Page, zip: Uint8Array, root: string): Promise<Shown> {
  await page.getByLabel("SHA-256 of the root certificate").fill(root);
  await page.getByLabel("Choose a bundle").setInputFiles({ name: "bundle.zip", mimeType: "application/zip", buffer: Buffer.from(zip) });
  await expect(page.locator("#verdict")).toBeVisible();
  await expect(page.locator("form")).not.toHaveAttribute("aria-busy");
  const texts = (selector: string) => page.locator(selector).allTextContents();
  return {
    outcome: (await texts("#verdict"))[0] ?? "",
    lines: (await texts("#steps li:not(.off)")).map(oneSpaced),
    notes: await texts("#notes li"),
  };
}

const oneSpaced = (text: string): string => text.trim().replace(/\s+/g, " ");

async function toldFor(zip: Uint8Array, root: string): Promise<Shown> {
  const report = await verifyBundle(() => unzipBundle(zip), { root: root === "" ? null : root, tsa_roots: null });
  return { outcome: verdictOf(report), lines: report.steps.map((step) => oneSpaced(formatStep(step))), notes: report.notes };
}

function flipped(bytes: Uint8Array, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ (1 << (at & 7));
  return copy;
}

test("every kept bundle gets the ten lines of the command", async () => {
  const page = await opened();
  for (const { name, root } of all) {
    const zip = readFileSync(bundles + name);
    const shown = await shownFor(page, zip, root);
    vitestExpect(shown, name).toEqual(await toldFor(zip, root));
    vitestExpect([shown.outcome, shown.lines.length], name).toEqual(["VERIFIED", 10]);
    await page.reload();
  }
  vitestExpect(watchOf(page.context()).requests.filter(({ url }) => url !== page_url && !url.startsWith("data:"))).toEqual([]);
});

test("a bundle 2 gets the lines and the notes of the command, fails with one changed bit, says if the copy has left, and refuses a test record", async () => {
  const page = await opened();
  const current = fileURLToPath(new URL("../../verify/fixtures/current/", import.meta.url));
  const { name, left, root } = JSON.parse(readFileSync(`${current}bundle.json`, "utf8")) as Record<"name" | "left" | "root", string>;
  const zip = readFileSync(current + name);
  const shown = await shownFor(page, zip, root);
  vitestExpect(shown).toEqual(await toldFor(zip, root));
  vitestExpect([shown.outcome, shown.lines.length]).toEqual(["VERIFIED", 10]);
  await page.reload();
  vitestExpect((await shownFor(page, flipped(zip, zip.length >> 1), root)).outcome).toBe("FAILED");
  await page.reload();
  const gone = await shownFor(page, readFileSync(current + left), root);
  vitestExpect(gone).toEqual(await toldFor(readFileSync(current + left), root));
  vitestExpect(gone.outcome).toBe("VERIFIED, COPY LEFT THIS VAULT on 2026-11-17 for Second Example Bank");
  await expect(page.locator("#result")).toHaveClass("note");
  await page.reload();
  const tried = await makeBundle({}, { keys: asListOfTests });
  vitestExpect(await shownFor(page, tried.zip, tried.root)).toEqual(await toldFor(tried.zip, tried.root));
  await expect(page.locator("#verdict")).toHaveText("TEST RECORD");
  await expect(page.locator("#result")).toHaveClass("bad");
});

testInAll("a bundle with one changed bit fails with the line of the command", async () => {
  const page = await opened();
  const [{ name, root } = { name: "", root: "" }] = all;
  const zip = readFileSync(bundles + name);
  for (let n = 0; n < 12; n++) {
    const altered = flipped(zip, Math.floor(((n + 0.5) * zip.length) / 12));
    const shown = await shownFor(page, altered, root);
    vitestExpect(shown, `byte ${n} of 12`).toEqual(await toldFor(altered, root));
    vitestExpect(shown.outcome).toBe("FAILED");
    await page.reload();
  }
});

describe("a bundle sealed with RSA", () => {
  const sealedBy = async (seal?: (org: TestOrg, bytes: Uint8Array, at: Date) => Promise<Uint8Array>) => {
    const org = await makeOrg(new Date("2026-03-04T06:00:00.000Z"), generateKeyPairSync("rsa", { modulusLength: 2048 }));
    const keys = { ...(await sharedKeys()), org };
    return makeBundle(
      { kind: "export", timed: true },
      {},
      seal === undefined ? keys : { ...keys, seal: (bytes, at) => seal(org, bytes, at) },
    );
  };

  testInAll("(PKCS #1) is verified", async () => {
    const { zip, root } = await sealedBy();
    const shown = await shownFor(await opened(), zip, root);
    vitestExpect(shown).toEqual(await toldFor(zip, root));
    vitestExpect([shown.outcome, shown.lines.length]).toEqual(["VERIFIED", 10]);
  });

  testInAll("(PSS) is verified", async () => {
    const { zip, root } = await sealedBy(signedWithPss);
    const shown = await shownFor(await opened(), zip, root);
    vitestExpect(shown).toEqual(await toldFor(zip, root));
    vitestExpect([shown.outcome, shown.lines.length]).toEqual(["VERIFIED", 10]);
  });

  testInAll("(PSS with another salt than it states) is refused", async () => {
    const { zip, root } = await sealedBy((org, bytes, at) => signedWithPss(org, bytes, at, 20));
    const shown = await shownFor(await opened(), zip, root);
    vitestExpect(shown).toEqual(await toldFor(zip, root));
    vitestExpect(shown.lines.at(-1)).toBe("7 document FAILED authoritative.pdf: the seal does not verify: signature_invalid");
  });
});

testInAll("without a root the signer is not pinned; a wrong hash is refused at its field; pasting the right one verifies", async () => {
  const page = await opened();
  const [{ name, root } = { name: "", root: "" }] = all;
  const zip = readFileSync(bundles + name);
  vitestExpect(await shownFor(page, zip, "")).toEqual(await toldFor(zip, ""));
  await expect(page.locator("#verdict")).toHaveText("CONSISTENT, SIGNER NOT PINNED");
  const field = page.getByLabel("SHA-256 of the root certificate");
  await field.fill("9f2c");
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(page.getByRole("alert")).toHaveText("This is not a SHA-256 hash: it must have 64 hexadecimal digits.");
  await expect(field).toBeFocused();
  await field.fill((root.toUpperCase().match(/../g) ?? []).join(":"));
  await expect(page.locator("#verdict")).toHaveText("VERIFIED");
  await expect(page.getByRole("alert")).toBeEmpty();
  await field.fill("0".repeat(64));
  await expect(page.locator("#verdict")).toHaveText("FAILED");
});

testInAll("a bundle can be dropped on the page, and other files fail", async () => {
  const page = await opened();
  const [{ name } = { name: "" }] = all;
  const drop = async (bytes: Uint8Array, called: string) => {
    const content = Buffer.from(bytes).toString("base64");
    const data = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob("${content}"), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], "${called}"));
      return transfer;
    })()`);
    await page.dispatchEvent("#drop", "drop", { dataTransfer: data });
  };
  await drop(readFileSync(bundles + name), "signed.zip");
  await expect(page.locator("#chosen")).toHaveText("signed.zip");
  await expect(page.locator("#verdict")).toHaveText("CONSISTENT, SIGNER NOT PINNED");
  await drop(Buffer.from("%PDF-1.7"), "contract.pdf");
  await expect(page.locator("#verdict")).toHaveText("FAILED");
  await expect(page.locator("#steps li").first()).toContainText("the zip file: not a zip file");
});

testInAll("with the keyboard alone, and accessible before and after", async () => {
  const page = await opened();
  await expectAccessible(page, "the empty page");
  await page.keyboard.press("Tab");
  await expect(page.locator("#bundle")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.locator("#root")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#chosen")).toHaveText("Choose a bundle first.");
  const [{ name, root } = { name: "", root: "" }] = all;
  await shownFor(page, readFileSync(bundles + name), root);
  await expect(page.locator("#verdict"), "screen readers begin with the result").toBeFocused();
  await expect(page.getByRole("status")).toHaveText("VERIFIED. 10 of 10 steps passed.");
  await expectAccessible(page, "a verified bundle");
});

testInAll("in dark colours and on a phone", async () => {
  for (const visit of [{ colorScheme: "dark" }, { device: "phone" }] as const) {
    const context = await newContext(DISK, visit);
    await withoutNetwork(context);
    const page = await context.newPage();
    await page.goto(page_url);
    for (const root of ["", all[0]?.root ?? "", "0".repeat(64)]) {
      await shownFor(page, readFileSync(bundles + (all[0]?.name ?? "")), root);
      await expectAccessible(page, `${JSON.stringify(visit)} ${root}`);
      vitestExpect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    }
  }
});
