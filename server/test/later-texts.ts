import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { buildFeatures, type Features } from "../src/features.ts";
import { locales } from "../src/shared/locales.ts";
import { publishTexts } from "../src/texts/publish-texts.ts";
import { readTexts } from "../src/texts/read-texts.ts";
import type { Texts } from "../src/texts/text.ts";
import type { TestService } from "./service.ts";

const [version, terms_effective_at] = ["2027-01", "2027-01-01T00:00:00.000Z"];
const later = { disclosure: version, intent: version, terms: version, agreement: version, terms_effective_at };

const ownTexts = fileURLToPath(new URL("../texts/", import.meta.url));

/** The texts of a later release: newer versions, with the earlier files or, by mistake, without. One has the same bytes as before. */
export function laterTexts({ withEarlier }: { withEarlier: boolean }): Texts {
  const folder = mkdtempSync(join(tmpdir(), "countersign-texts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  if (withEarlier) cpSync(ownTexts, folder, { recursive: true });
  for (const kind of ["disclosure", "intent", "terms", "agreement"]) {
    mkdirSync(join(folder, kind), { recursive: true });
    for (const locale of locales) writeFileSync(join(folder, kind, `2027-01.${locale}.md`), `The newer ${kind} in ${locale}\n`);
  }
  cpSync(join(ownTexts, "intent/2026-01.en.txt"), join(folder, "intent/2027-01.en.md"));
  return readTexts(folder, later);
}

/** What a later release with these texts runs, on the same database and store. */
export async function laterFeatures({ config, db, features }: TestService, texts: Texts): Promise<Features> {
  await publishTexts(db, texts);
  return buildFeatures(config, db, undefined, features.pdf, features.proofs, texts);
}
