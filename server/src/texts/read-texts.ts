import { isUtf8 } from "node:buffer";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sha256 } from "../shared/secrets.ts";
import { type CurrentVersions, type LegalText, type TextKind, type Texts, textKinds } from "./text.ts";

const FOLDER = fileURLToPath(new URL("../../texts/", import.meta.url));

const CURRENT: CurrentVersions = {
  disclosure: "2026-11",
  intent: "2026-01",
  terms: "2026-01",
  agreement: "2026-01",
  terms_effective_at: "2026-01-01T00:00:00.000Z",
};

const NAME = /^([\w-]+)\.([a-z]{2})\.(?:md|txt)$/;

/** Reads every file `<kind>/<version>.<locale>.md` or `.txt`. Another folder and other versions are those of another release. */
export function readTexts(folder: string = FOLDER, current: CurrentVersions = CURRENT): Texts {
  const kinds = textKinds.filter((kind) => existsSync(join(folder, kind)));
  return { files: kinds.flatMap((kind) => readdirSync(join(folder, kind)).map((name) => readText(folder, kind, name))), current };
}

function readText(folder: string, kind: TextKind, name: string): LegalText {
  const [, version, locale] = NAME.exec(name) ?? [];
  const bytes = readFileSync(join(folder, kind, name));
  // Skipping the file would leave out of evidence what people accept. Bytes that are not UTF-8 would be stored as others.
  if (version === undefined || locale === undefined || !isUtf8(bytes))
    throw new Error(`${kind}/${name} is not a text of the form 2026-01.en.md`);
  return { kind, version, locale, sha256: sha256(bytes).toString("hex"), text: bytes.toString("utf8") };
}
