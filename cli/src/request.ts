import { readFile, writeFile } from "node:fs/promises";
import { type Settings, type Terminal, UsageError } from "./terminal.ts";

export interface RequestOptions extends Settings {
  readonly method: string;
  /** below /api/v2, with the query */
  readonly path: string;
  readonly data?: string | undefined;
  readonly all: boolean;
  readonly include: boolean;
  readonly output?: string | undefined;
  /** `Name: value` */
  readonly header: readonly string[];
}

interface ListBody {
  readonly data: readonly unknown[];
  readonly meta: { readonly page: number; readonly limit: number; readonly total: number; readonly total_capped?: boolean };
}

/** Sends a request with the key, and prints the response; JSON is indented. 1: the service answered with an error. */
export async function request(options: RequestOptions, terminal: Terminal): Promise<number> {
  const { url, path, method } = options;
  if (!path.startsWith("/")) throw new UsageError('The path must begin with /, such as "/partner/envelopes"');
  if (!/^[A-Z]+$/.test(method)) throw new UsageError(`${method} is not a method such as GET or POST`);
  if (options.all && method !== "GET") throw new UsageError("--all is for lists, which are read by GET");
  if (options.all && options.output !== undefined) throw new UsageError("--all prints the rows; to save them, leave -o out and add > FILE");
  if (options.data !== undefined && method === "GET") throw new UsageError("A GET has no body; leave -d out, or name another method");
  const address = new URL(url + (path.startsWith("/api/") || path.startsWith("/p/api/") ? "" : "/api/v2") + path);
  const rows: unknown[] = [];
  for (;;) {
    const response = await sent(address, options, terminal);
    if (options.include) terminal.err(headOf(response));
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!response.ok || !options.all) return shown(response, bytes, options, terminal);
    const body = JSON.parse(new TextDecoder().decode(bytes)) as ListBody;
    if (!Array.isArray(body.data)) throw new UsageError(`${path} is no list; leave --all out`);
    rows.push(...body.data);
    const { page, limit, total, total_capped = false } = body.meta;
    const isLast = body.data.length < limit;
    if (isLast || page * limit >= total) {
      terminal.out(`${JSON.stringify(rows, null, 2)}\n`);
      if (isLast || !total_capped) return 0;
      terminal.err(
        `These are ${rows.length} rows, and there are more, which the service does not list. Narrow the list, for example by time.\n`,
      );
      return 1;
    }
    address.searchParams.set("page", String(page + 1));
    address.searchParams.set("limit", String(limit));
  }
}

async function sent(address: URL, { apiKey, method, data, header }: RequestOptions, terminal: Terminal): Promise<Response> {
  const headers = new Headers({ "x-api-key": apiKey });
  const body = await bodyOf(data, terminal);
  if (body !== null) headers.set("content-type", "application/json");
  for (const one of header) {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*([\t -~]*)$/.exec(one) ?? [];
    if (name === undefined || value === undefined) throw new UsageError(`${one} is not a header such as "If-Match: …"`);
    headers.set(name, value);
  }
  try {
    // A redirect that is followed would send the key to another host.
    return await fetch(address, { method, headers, redirect: "manual", signal: terminal.signal, ...(body !== null && { body }) });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`No response from ${address.origin}. Is COUNTERSIGN_URL right?`);
  }
}

async function bodyOf(data: string | undefined, { readInput }: Terminal): Promise<string | null> {
  if (data === undefined) return null;
  if (data === "@-") return readInput();
  return data.startsWith("@") ? onFile(data.slice(1), "read", (file) => readFile(file, "utf8")) : data;
}

/** The system's error, such as a folder that does not exist, as a sentence. */
async function onFile<T>(file: string, act: "read" | "written", run: (file: string) => Promise<T>): Promise<T> {
  try {
    return await run(file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new UsageError(`${file} cannot be ${act}: ${error.message}`);
  }
}

function headOf({ status, headers }: Response): string {
  return `${status}\n${[...headers].map(([name, value]) => `${name}: ${value}\n`).join("")}\n`;
}

async function shown(response: Response, bytes: Uint8Array, { output }: RequestOptions, { out, err }: Terminal): Promise<number> {
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  if (!response.ok) err(`${response.status} ${response.headers.get("x-error-code") ?? ""}\n`);
  if (output !== undefined && response.ok) {
    await onFile(output, "written", (file) => writeFile(file, bytes));
    err(`${output}: ${bytes.length} bytes\n`);
  } else out(isJson ? `${JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)), null, 2)}\n` : bytes);
  return response.ok ? 0 : 1;
}
