import { rm } from "node:fs/promises";
import type { FastifyRequest } from "fastify";
import { type TObject, Type } from "typebox";
import { type Detail, Problem } from "../shared/problems.ts";
import type { KeyRing } from "../shared/secrets.ts";
import type { ErasedForm } from "./endpoint.ts";
import { type Form, type Parts, type ReceivedFile, readForm, spool } from "./form.ts";
import { type Fingerprints, fingerprintsOf } from "./idempotency.ts";
import { Nesting } from "./json-nesting.ts";
import { MAX_DETAILS } from "./problem.ts";
import { UnknownFields } from "./unknown-fields.ts";
import { type Checked, unknownDetail, type Validate } from "./validate.ts";

/** A validated form: its parts, the file, and the fingerprints for an Idempotency-Key. */
export interface FormInput {
  readonly body: Record<string, unknown>;
  readonly file: ReceivedFile;
  readonly fingerprints: Fingerprints;
  /** unknown parts, and unknown fields within JSON parts, that were ignored for a lenient caller */
  readonly ignored: readonly string[];
}

/** A request with a form, and what is needed to read it. */
export interface FormRequest {
  readonly request: FastifyRequest;
  /** the folder for files until the request is answered */
  readonly uploads: string;
  readonly fingerprintKeys: KeyRing;
  /** unknown parts are ignored instead of refused */
  readonly lenient: boolean;
}

/**
 * Receives a form, checks it in the order 400, 415, 422, passes it to `use`, and always removes the file from the disk.
 */
export async function withForm<T>(
  { request, uploads, fingerprintKeys, lenient }: FormRequest,
  { parts: schema, json, accept }: ErasedForm,
  check: Validate,
  use: (input: FormInput) => Promise<T>,
): Promise<T> {
  const form = await readForm(
    request.raw,
    (file) => spool(uploads, file),
    ({ path }) => rm(path, { force: true }),
  );
  try {
    const { file } = form;
    refuseMissing(form, schema);
    if (file === null) throw missing(["file"]);
    const { body, faults } = valuesOf(form, schema, json);
    const unknown = unknownParts(form, schema);
    await accept(file);
    const checked = checkParts(lenient ? faults : [...unknown, ...faults], body, check, lenient);
    return await use({
      body: checked.value as Record<string, unknown>,
      file,
      fingerprints: fingerprintsOfForm(fingerprintKeys, request, form, file),
      ignored: [...namesOf(unknown), ...checked.ignored],
    });
  } finally {
    if (form.file !== null) await rm(form.file.path, { force: true });
  }
}

/** Reads the JSON body of an endpoint from the part `payload` of a form that also contains a file. Checked in the order 400, 422. */
export async function withAttachment<T>(
  { request, uploads, fingerprintKeys, lenient }: FormRequest,
  filePart: string,
  use: (input: FormInput) => Promise<T>,
): Promise<T> {
  const form = await readForm(
    request.raw,
    (file) => spool(uploads, file),
    ({ path }) => rm(path, { force: true }),
    filePart,
  );
  try {
    const { file } = form;
    refuseMissing(form, PAYLOAD, filePart);
    if (file === null) throw missing([filePart], filePart);
    const { body, faults } = valuesOf(form, PAYLOAD, { payload: "malformed" });
    const unknown = unknownParts(form, PAYLOAD, filePart);
    const details = lenient ? faults : [...unknown, ...faults];
    if (details.length > 0) throw new Problem("invalid_request", "form", { details });
    return await use({
      body: body.payload as Record<string, unknown>,
      file,
      fingerprints: fingerprintsOfForm(fingerprintKeys, request, form, file),
      ignored: namesOf(unknown),
    });
  } finally {
    if (form.file !== null) await rm(form.file.path, { force: true });
  }
}

const PAYLOAD = Type.Object({ payload: Type.Unknown() });

/**
 * For a file that is processed while it arrives. What `take` does not read is discarded. An unknown part is refused if it comes before the
 * file. After the file it is too late, because the work is done, so it is ignored for every caller.
 */
export async function takeArriving<T>(
  { request, lenient }: FormRequest,
  take: (content: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<{ taken: T; ignored: readonly string[] }> {
  const form = await readForm(request.raw, async ({ content, before }) => {
    const details = lenient ? [] : unknownParts(before, FILE_ALONE);
    if (details.length > 0) throw new Problem("invalid_request", "form", { details });
    const taken = await take(content.iterator({ destroyOnReturn: false }));
    content.resume();
    return { taken };
  });
  if (form.file === null) throw missing(["file"]);
  return { taken: form.file.taken, ignored: namesOf(unknownParts(form, FILE_ALONE)) };
}

const FILE_ALONE = Type.Object({});

/** Unknown parts, and parts that are a file instead of text or text instead of a file. */
function unknownParts({ parts, faults, otherFiles }: Parts, { properties }: TObject, filePart = "file"): Detail[] {
  const known = [filePart, ...Object.keys(properties)];
  const texts = [...parts.keys(), ...faults.map(({ field }) => field ?? "")];
  const found = new UnknownFields(MAX_DETAILS);
  for (const name of new Set([...texts, ...otherFiles])) if (!known.includes(name)) found.add("", name, known);
  const misplaced = (field: string, message: string) => ({ location: "form", field, code: "invalid_type", message }) as const;
  return [
    ...found.list.map((field) => unknownDetail(field, "form")),
    ...(texts.includes(filePart) ? [misplaced(filePart, "must be a file part (with a file name)")] : []),
    ...otherFiles.filter((name) => known.includes(name)).map((name) => misplaced(name, "must be a text part (without a file name)")),
  ];
}

const namesOf = (details: readonly Detail[]): string[] => details.map(({ field }) => field ?? "");

function refuseMissing({ parts, file, faults }: Form<unknown>, schema: TObject, filePart = "file"): void {
  // A part that is too long is reported as a different mistake.
  const given = (name: string) => (parts.get(name) ?? "") !== "" || faults.some((fault) => fault.field === name);
  const absent = (schema.required ?? []).filter((name) => !given(name));
  const names = file === null ? [filePart, ...absent] : absent;
  if (names.length > 0) throw missing(names, filePart);
}

function missing(names: readonly string[], filePart = "file"): Problem {
  const says = (field: string) => (field === filePart ? "is required and must have a file name" : "is required");
  const details = names.map((field) => ({ location: "form", field, code: "required", message: says(field) }) as const);
  return new Problem("form_part_missing", names.join(" "), { words: { parts: names.join(" and ") }, details });
}

/** The values of the parts that the schema knows. */
function valuesOf(
  form: Form<unknown>,
  { properties }: TObject,
  json: ErasedForm["json"],
): { body: Record<string, unknown>; faults: readonly Detail[] } {
  const faults = form.faults.filter(({ field }) => field !== null && Object.hasOwn(properties, field));
  const body: Record<string, unknown> = {};
  for (const name of Object.keys(properties)) {
    const text = form.parts.get(name);
    if (text === undefined) continue;
    // What is left of bytes that are no text.
    if (text.includes("\ufffd")) faults.push({ location: "form", field: name, code: "invalid_format", message: "must be valid UTF-8" });
    else body[name] = json[name] === undefined ? text : parsed(name, text, json[name], faults);
  }
  return { body, faults };
}

/** Validates the parts and reports their mistakes together with `faults`. */
function checkParts(faults: readonly Detail[], body: Record<string, unknown>, check: Validate, lenient: boolean): Checked {
  try {
    const checked = check(body, lenient);
    if (faults.length === 0) return checked;
  } catch (error) {
    if (faults.length === 0 || !(error instanceof Problem)) throw error;
    const others = (error.details ?? []).filter((detail) => !faults.some(({ field }) => field === detail.field));
    throw new Problem("invalid_request", "form", { details: [...faults, ...others] });
  }
  throw new Problem("invalid_request", "form", { details: faults });
}

function parsed(name: string, text: string, otherwise: "malformed" | "invalid", faults: Detail[]): unknown {
  const nesting = new Nesting();
  if (nesting.exceeds(Buffer.from(text))) {
    faults.push({ location: "form", field: name, code: "invalid_value", message: nesting.fault });
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    const detail = { location: "form", field: name, code: "invalid_format", message: "must be valid JSON" } as const;
    if (otherwise === "malformed") throw new Problem("form_json_malformed", name, { words: { part: name }, details: [detail], cause });
    faults.push(detail);
    return undefined;
  }
}

/** Parts are sorted by name, because a client that repeats a request can send them in a different order. The file is included by its hash. */
function fingerprintsOfForm(keys: KeyRing, { method, url }: FastifyRequest, { parts }: Form<unknown>, file: ReceivedFile): Fingerprints {
  const said = [...parts].sort(([a], [b]) => (a < b ? -1 : 1));
  return fingerprintsOf(keys, method, url, Buffer.from(JSON.stringify([said, file.name, file.sha256])));
}
