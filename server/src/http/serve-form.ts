import { rm } from "node:fs/promises";
import type { FastifyRequest } from "fastify";
import { type TObject, Type } from "typebox";
import { type Detail, Problem } from "../shared/problems.ts";
import type { ErasedForm } from "./endpoint.ts";
import { type Form, type Parts, type ReceivedFile, readForm, spool } from "./form.ts";
import { fingerprintOf } from "./idempotency.ts";
import { Nesting } from "./parse-json.ts";
import { MAX_DETAILS } from "./problem.ts";
import { UnknownFields } from "./unknown-fields.ts";
import { type Checked, unknownDetail, type Validate } from "./validate.ts";

/** What a form says: its parts as the schema types them, the file, and what an Idempotency-Key stands for. */
export interface FormInput {
  readonly body: Record<string, unknown>;
  readonly file: ReceivedFile;
  readonly fingerprint: Buffer;
  /** parts, and fields within JSON parts, that were left out for a lenient caller */
  readonly ignored: readonly string[];
}

/** A request with a form, and what that needs of the service. */
export interface FormRequest {
  readonly request: FastifyRequest;
  /** where files lie meanwhile */
  readonly uploads: string;
  readonly fingerprintKey: Uint8Array;
  /** unknown parts are left out, not refused */
  readonly lenient: boolean;
}

/**
 * Receives a form, judges it in the order 400, 415, 422, hands it to `use`, and takes the file off the disk whatever happens.
 */
export async function withForm<T>(
  { request, uploads, fingerprintKey, lenient }: FormRequest,
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
      fingerprint: fingerprintOfForm(fingerprintKey, request, form, file),
      ignored: [...namesOf(unknown), ...checked.ignored],
    });
  } finally {
    if (form.file !== null) await rm(form.file.path, { force: true });
  }
}

/** The JSON body of an endpoint as the part `payload` of a form, beside a file that may come with it. Judged in the order 400, 422. */
export async function withAttachment<T>(
  { request, uploads, fingerprintKey, lenient }: FormRequest,
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
      fingerprint: fingerprintOfForm(fingerprintKey, request, form, file),
      ignored: namesOf(unknown),
    });
  } finally {
    if (form.file !== null) await rm(form.file.path, { force: true });
  }
}

const PAYLOAD = Type.Object({ payload: Type.Unknown() });

/**
 * For a file that is worked on while it arrives. What `take` leaves of it is thrown away. An unknown part is refused when it comes before
 * the file; one that comes after it is too late for that, because the work is done, and is left out for every caller.
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

/** Parts that the form does not have, and parts that came as a file instead of text, or as text instead of a file. */
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
  // A part that is there but too long is another mistake.
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

/** The parts that the schema knows. */
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

/** Together with what is wrong with the other parts. */
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

/** Parts in the order of their names, because a client that repeats a request need not repeat their order; the file by its hash. */
function fingerprintOfForm(key: Uint8Array, { method, url }: FastifyRequest, { parts }: Form<unknown>, file: ReceivedFile): Buffer {
  const said = [...parts].sort(([a], [b]) => (a < b ? -1 : 1));
  return fingerprintOf(key, method, url, Buffer.from(JSON.stringify([said, file.name, file.sha256])));
}
