// What was signed, as the database has it: fields, signers, values and marks. A reader hashes it again and compares it with the chain.

import { canonicalize, type Json } from "../canonical.ts";
import { canonicalValue } from "../checkpoint.ts";
import type { Head } from "../entry.ts";
import {
  type DocumentRow,
  type FieldRow,
  type MarkRow,
  preparedDocument,
  recipientOf,
  type SignedRows,
  settingsOf,
} from "../signed-content.ts";
import type { NamedFile } from "../zip/zip-format.ts";
import { sha256 } from "./manifest.ts";
import { isMarkFile } from "./names-2.ts";

const FIELDS = "signed/fields.json";
const SIGNERS = "signed/signers.json";
const VALUES = "signed/values.json";

/** The three lists and one file per mark. */
export function writeSigned(rows: SignedRows): NamedFile[] {
  const { documents = [] } = rows;
  const { org_id, envelope_id, is_completed, prepared_sha256, stamped_sha256, signed_sha256, kba_required, signers, signatures } = rows;
  const about = {
    type: "countersign/signed/1",
    org_id,
    envelope_id,
    is_completed,
    prepared_sha256,
    stamped_sha256,
    ...(signed_sha256 !== undefined && { signed_sha256 }),
    ...(kba_required !== undefined && { kba_required }),
    ...(documents.length > 0 && { documents: documents.map((one) => ({ ...preparedDocument(one), ...writtenPart(one) })) }),
    signers: signers.map((signer) => {
      const { slug, turn, email, name, role, status, signed_at, acted_at } = signer;
      return {
        ...{ slug, turn, email, name, role, status, signed_at },
        ...(acted_at !== undefined && { acted_at }),
        ...(signer.kind !== undefined && recipientOf(signer)),
      };
    }),
    signatures,
    marks: rows.marks.map(({ slug, sha256: hash, method }) => ({ slug, sha256: hash, method })),
  };
  const marks = new Map(rows.marks.map((mark) => [markName(mark), mark.content]));
  return [
    { name: FIELDS, bytes: Buffer.from(canonicalize(rows.fields.map(writtenField))) },
    { name: SIGNERS, bytes: Buffer.from(canonicalize(about)) },
    { name: VALUES, bytes: Buffer.from(canonicalize(rows.values)) },
    ...[...marks].map(([name, bytes]) => ({ name, bytes })),
  ];
}

const writtenPart = ({ is_signature_page, part_sha256 }: DocumentRow) => ({ is_signature_page, part_sha256 });

const markName = ({ sha256: hash, method }: Pick<MarkRow, "sha256" | "method">): string =>
  `signed/marks/${hash}.${method === "uploaded" ? "png" : "json"}`;

// The canonical form allows integers only; the hash of the fields covers six places too.
function writtenField(field: FieldRow): Json {
  const { position, name, type, role, required, readonly, options, prefilled, default_value, areas } = field;
  const places = (Array.isArray(areas) ? areas : []).map((area): Json => {
    const { page, x, y, w, h } = Object(area) as Record<string, number>;
    return { page: page ?? 0, x: fixed(x), y: fixed(y), w: fixed(w), h: fixed(h) };
  });
  return {
    position,
    name,
    type,
    role,
    required,
    readonly,
    options: options === null ? null : [...options],
    prefilled,
    default_value,
    areas: places,
    ...(field.settings !== undefined && settingsOf(field)),
  };
}

const fixed = (fraction: number | undefined): string => Number(fraction).toFixed(6);

/**
 * The rows again, with the end of the chain that they are compared with; null if the files are not what `writeSigned` writes, or if a mark
 * is missing, does not have its hash or is not named by a signature.
 */
export function readSigned(files: ReadonlyMap<string, Uint8Array>, head: Head): SignedRows | null {
  const [fields, about, values] = [FIELDS, SIGNERS, VALUES].map((name) => {
    const bytes = files.get(name);
    return bytes === undefined ? undefined : canonicalValue(bytes);
  });
  const { type, marks: named, ...rest } = Object(about) as Record<string, unknown>;
  if (type !== "countersign/signed/1" || !Array.isArray(fields) || !Array.isArray(values) || !Array.isArray(named)) return null;
  const marks = (named as Omit<MarkRow, "content">[]).flatMap((mark) => {
    const content = files.get(markName(mark));
    return content === undefined || sha256(content) !== mark.sha256 ? [] : [{ ...mark, content }];
  });
  const names = new Set(marks.map(markName));
  const hasUnnamed = [...files.keys()].some((name) => isMarkFile(name) && !names.has(name));
  if (marks.length !== named.length || hasUnnamed) return null;
  return { ...(rest as Omit<SignedRows, "head" | "fields" | "values" | "marks">), head, fields: fields.map(readField), values, marks };
}

function readField(value: unknown): FieldRow {
  const { areas, ...field } = Object(value) as Record<string, unknown>;
  const places = (Array.isArray(areas) ? areas : []).map((area) => {
    const { page, x, y, w, h } = Object(area) as Record<string, unknown>;
    return { page, x: Number(x), y: Number(y), w: Number(w), h: Number(h) };
  });
  return { ...(field as Omit<FieldRow, "areas">), areas: places };
}
