import { documentNames, isText, type NamedFile } from "@countersign/evidence";
import { oneLine } from "./one-line.ts";

/**
 * What a bundle contains, as text. Nothing is checked: a forged bundle says whatever its author wrote. Files that are missing or unreadable
 * are said to be so, and nothing throws.
 */
export function inspectBundle(files: readonly NamedFile[]): string {
  const all = new Map(files.map(({ name, bytes }) => [name, bytes]));
  const lines = [
    ...manifestLines(all),
    ...documentLines(all),
    ...certificateLines(all),
    ...chainLines(all),
    ...checkpointLines(all),
    ...trustLines(all),
    ...textLines(files),
  ];
  const rows = lines.map(([label, value]) => `${label.padEnd(16)} ${value}`);
  const listed = [...files]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, bytes }) => `  ${String(bytes.length).padStart(10)}  ${name}`);
  return `${[...rows, "", `${files.length} files:`, ...listed, "", "Nothing was checked. Use countersign-verify verify."].join("\n")}\n`;
}

type Line = readonly [label: string, value: string];
type Read = Record<string, unknown>;
type Contents = ReadonlyMap<string, Uint8Array>;

const UNREADABLE = "(missing or unreadable)";

function jsonIn(all: Contents, name: string): Read {
  const bytes = all.get(name);
  try {
    return bytes === undefined ? {} : (Object(JSON.parse(Buffer.from(bytes).toString("utf8"))) as Read);
  } catch {
    return {};
  }
}

function told(value: unknown): string {
  if (value === undefined || value === null) return UNREADABLE;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return oneLine(text);
}

function manifestLines(all: Contents): Line[] {
  const { type, kind, org_id, envelope_id, created_at, as_of, status_url } = jsonIn(all, "manifest.json");
  const at = (Object(as_of) as Read).at;
  return [
    ["Bundle", `${told(kind)} of envelope ${told(envelope_id)}, organization ${told(org_id)}`],
    ["Form", told(type)],
    ["Created", told(created_at)],
    ...(at === undefined ? [] : [["As of", told(at)] as const]),
    ...(typeof status_url === "string" ? [["State today", `can be asked at ${told(status_url)}`] as const] : []),
  ];
}

function documentLines(all: Contents): Line[] {
  const name = Object.values(documentNames).find((each) => all.has(each));
  if (name === undefined) return [["Document", UNREADABLE]];
  const what = name === documentNames.export ? "the authoritative copy" : "a marked copy, not the authoritative one";
  return [["Document", `${name}, ${all.get(name)?.length} bytes: ${what}`]];
}

function certificateLines(all: Contents): Line[] {
  const { certificate_revision: chosen } = jsonIn(all, "manifest.json");
  const folder = typeof chosen === "number" ? `certificates/r${chosen}/` : "";
  const { score, passed, missing_requirements, standing } = jsonIn(all, `${folder}compliance.json`);
  const { evaluated_at, certificate, source } = jsonIn(all, `${folder}facts.json`);
  const missing = Array.isArray(missing_requirements) ? missing_requirements.map((each): Line => ["", `missing: ${told(each)}`]) : [];
  const verdict = passed === true ? "passed" : passed === false ? "not passed" : told(undefined);
  const result = standing === undefined ? verdict : `${verdict}, standing ${told(standing)}`;
  return [
    [
      "Certificate",
      `revision ${told((Object(certificate) as Read).revision)}, score ${told(score)}, ${result}, evaluated ${told(evaluated_at)}`,
    ],
    ...missing,
    ["Source", told(source)],
  ];
}

function chainLines(all: Contents): Line[] {
  const text = Buffer.from(all.get("chain.jsonl") ?? []).toString("utf8");
  const entries = text
    .split("\n")
    .filter((line) => line !== "")
    .map(entryIn);
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined) return [["Audit trail", UNREADABLE]];
  const rows = entries.map(({ seq, at, type }): Line => ["", `${String(told(seq)).padStart(4)}  ${told(at)}  ${told(type)}`]);
  return [["Audit trail", `${entries.length} entries from ${told(first.at)} to ${told(last.at)}`], ...rows];
}

function entryIn(line: string): Read {
  try {
    return Object((Object(JSON.parse(line)) as Read).entry) as Read;
  } catch {
    return {};
  }
}

function checkpointLines(all: Contents): Line[] {
  const of = (name: string): string => {
    const { tree_size, at } = jsonIn(all, `checkpoints/${name}.json`);
    return `${told(tree_size)} entries at ${told(at)}`;
  };
  const stamped = all.has("checkpoints/vaulted.tst") ? "with a token of a time-stamp authority" : "without an external time stamp";
  return [
    ["Log at vaulting", `${of("vaulted")}, ${stamped}`],
    ["Log at the end", of("latest")],
  ];
}

function trustLines(all: Contents): Line[] {
  const { root_sha256, records, seals, issued_at } = jsonIn(all, "trust/keys.json");
  const count = (list: unknown): string => (Array.isArray(list) ? String(list.length) : UNREADABLE);
  return [
    ["Root", told(root_sha256)],
    ["Keys", `${count(records)} for records, ${count(seals)} seal certificates, listed ${told(issued_at)}`],
  ];
}

function textLines(files: readonly NamedFile[]): Line[] {
  const texts = files.filter(({ name }) => isText(name)).map(({ name }) => name.slice("texts/".length));
  const supplied = files.find(({ name }) => name.startsWith("evidence/"));
  return [
    ["Texts", texts.length === 0 ? "none" : texts.join(", ")],
    ...(supplied === undefined ? [] : [["Supplied", `${supplied.name}, ${supplied.bytes.length} bytes`] as const]),
  ];
}
