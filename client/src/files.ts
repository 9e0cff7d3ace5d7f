/** Files to upload, and the multipart forms that contain them. */
import { readNodeFile } from "./node.ts";
import { streamOf } from "./stream.ts";

/** A file to upload. A stream can be read only once, so its upload is not retried after reading has begun. */
export type FileInput = Blob | Uint8Array | ArrayBuffer | ReadableStream<Uint8Array> | FileAtPath | NamedFile;

/** Node, Deno and Bun only. `name` defaults to the file's own name. */
export interface FileAtPath {
  readonly path: string;
  readonly name?: string | undefined;
}

export interface NamedFile {
  readonly data: Blob | Uint8Array | ArrayBuffer | ReadableStream<Uint8Array>;
  readonly name: string;
}

/** A request body that is opened again for each attempt. */
export interface Body {
  readonly headers: Readonly<Record<string, string>>;
  open(): string | FormData | ReadableStream<Uint8Array>;
  /** false after reading a stream has begun, because the data is gone */
  canRepeat(): boolean;
}

export function jsonBody(value: unknown): Body {
  const text = JSON.stringify(value);
  return { headers: { "content-type": "application/json" }, open: () => text, canRepeat: () => true };
}

/** The largest file that the service accepts. Checked here to avoid a useless upload. */
export const MAX_FILE_BYTES = 52_428_800;
const FILE_NAME = "file";

/** The parts of a form that are files, and those that are JSON; all others are text. */
export interface FormParts {
  readonly files: readonly string[];
  readonly json: readonly string[];
  /** true if the operation accepts only a form; false if it also accepts the values as JSON when there is no file */
  readonly only: boolean;
}

interface Part {
  readonly name: string;
  readonly value: string | { readonly file: Blob | ReadableStream<Uint8Array>; readonly fileName: string };
}

/**
 * Throws a RangeError if a file is larger than 50 MB, and a TypeError if a value is not a file or is a used stream, before anything is
 * read or sent.
 */
export async function formBody(values: Readonly<Record<string, unknown>>, form: FormParts): Promise<Body> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const parts = await Promise.all(given.map(([name, value]) => partOf(name, value, form)));
  return parts.some(isStream) ? streamedForm(parts) : wholeForm(parts);
}

async function partOf(name: string, value: unknown, { files, json }: FormParts): Promise<Part> {
  if (files.includes(name)) return { name, value: await opened(name, value as FileInput) };
  return { name, value: json.includes(name) ? JSON.stringify(value) : String(value) };
}

async function opened(part: string, input: FileInput): Promise<Exclude<Part["value"], string>> {
  if (typeof input !== "object" || input === null)
    throw new TypeError(`${part} must be a Blob, bytes, a ReadableStream or { data, name }; for a file on disk use { path }`);
  if ("path" in input) {
    const { bytes, name } = await readNodeFile(input.path, (size) => assertSize(input.path, size));
    return { file: new Blob([bytes]), fileName: input.name ?? name };
  }
  if ("data" in input) return { ...(await opened(part, input.data)), fileName: input.name };
  if (input instanceof ReadableStream) {
    assertUnused(part, input);
    return { file: input, fileName: FILE_NAME };
  }
  const file = input instanceof Blob ? input : new Blob([input as Uint8Array<ArrayBuffer> | ArrayBuffer]);
  const fileName = "name" in file && typeof file.name === "string" ? file.name : FILE_NAME;
  assertSize(part, file.size);
  return { file, fileName };
}

/** No property says whether a stream has been read from. The Response constructor throws if it has, or if it is locked. */
function assertUnused(part: string, stream: ReadableStream<Uint8Array>): void {
  try {
    new Response(stream);
  } catch (cause) {
    throw new TypeError(`${part} is a stream that has already been used. Open a new stream for each upload`, { cause });
  }
}

function assertSize(what: string, size: number): void {
  if (size > MAX_FILE_BYTES) throw new RangeError(`${what} is too large: ${size} bytes. The limit is ${MAX_FILE_BYTES} bytes (50 MB)`);
}

const isStream = ({ value }: Part) => typeof value !== "string" && value.file instanceof ReadableStream;

function wholeForm(parts: readonly Part[]): Body {
  const form = new FormData();
  for (const { name, value } of parts) {
    if (typeof value === "string") form.set(name, value);
    else form.set(name, value.file as Blob, value.fileName);
  }
  return { headers: {}, open: () => form, canRepeat: () => true };
}

/** FormData cannot contain a stream, so the form is written here (RFC 7578). */
function streamedForm(parts: readonly Part[]): Body {
  const boundary = `countersign-${crypto.randomUUID()}`;
  let hasBegun = false;
  const begin = () => {
    hasBegun = true;
  };
  const open = () => {
    const chunks = chunksOf(parts, boundary, begin);
    // Does not read ahead: a stream that has not been read from can still be sent again.
    return streamOf(chunks, { highWaterMark: 0 });
  };
  return { headers: { "content-type": `multipart/form-data; boundary=${boundary}` }, open, canRepeat: () => !hasBegun };
}

/** Calls `begin` before the first byte of a stream is read. */
async function* chunksOf(parts: readonly Part[], boundary: string, begin: () => void): AsyncGenerator<Uint8Array, undefined> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  for (const { name, value } of parts) {
    const fileName = typeof value === "string" ? "" : `; filename="${escaped(value.fileName)}"\r\ncontent-type: application/octet-stream`;
    yield bytes(`--${boundary}\r\ncontent-disposition: form-data; name="${escaped(name)}"${fileName}\r\n\r\n`);
    if (typeof value === "string") yield bytes(value);
    else {
      if (value.file instanceof ReadableStream) begin();
      yield* readAll(value.file instanceof Blob ? value.file.stream() : value.file);
    }
    yield bytes("\r\n");
  }
  yield bytes(`--${boundary}--\r\n`);
}

/** Not every runtime supports `for await` on streams. */
async function* readAll(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}

const escaped = (name: string) => name.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
