import type { Endpoint } from "../src/http/endpoint.ts";

/** Requests that documents show: as commands with curl, and as text such as `POST /partner/envelopes/:envelope_id/send`. */

export interface Request {
  readonly method: string;
  /** from the root of the API, without a query; with `…` in front, the end of a path */
  readonly path: string;
  readonly query: URLSearchParams;
  /** of `-d`, if it is not a file */
  readonly body: string | null;
  /** the names of `-F` */
  readonly parts: readonly string[];
}

const METHODS = "GET|POST|PUT|PATCH|DELETE";

/** The variables of the guides, with values that the API accepts. */
const VALUES: Readonly<Record<string, string>> = {
  TEMPLATE: "tmpl_01h2xcejqtf2nbrexx3vqjhp41",
  ENVELOPE: "env_01h2xcejqtf2nbrexx3vqjhp41",
  CUSTOMER: "cust_01h2xcejqtf2nbrexx3vqjhp41",
  PARTY: "pty_01h2xcejqtf2nbrexx3vqjhp41",
  USER_ID: "usr_01h2xcejqtf2nbrexx3vqjhp41",
};

/** The words of each command of a shell script, without quotes. It knows what the documents use, and no more of the shell. */
export function commandsOf(script: string): string[][] {
  const commands: string[][] = [[]];
  const pieces = script.matchAll(/#[^\n]*|\\\n|'([^']*)'|"((?:[^"\\]|\\.)*)"|(\n|;|\||&&)|[^\S\n]+|[^\s'"\\;|&]+/g);
  let word: string | null = null;
  const endWord = () => {
    if (word !== null) commands.at(-1)?.push(word);
    word = null;
  };
  for (const [piece, single, double, end] of pieces) {
    if (piece.startsWith("#") && word === null) continue;
    if (end !== undefined) {
      endWord();
      commands.push([]);
    } else if (/^\s|^\\\n/.test(piece)) endWord();
    else word = (word ?? "") + (single ?? double?.replace(/\\(.)/g, "$1") ?? piece);
  }
  endWord();
  return commands.filter(({ length }) => length > 0);
}

const filled = (text: string): string =>
  text.replace(/\$\{?(\w+)\}?/g, (whole, name: string) => VALUES[name] ?? whole).replace(/\b([a-z]+_)…/g, "$101h2xcejqtf2nbrexx3vqjhp41");

/** What a command sends to the API; null for another command, and for another address than that of the API. */
export function requestOf([program, ...words]: readonly string[]): Request | null {
  if (program !== "curl") return null;
  const of = (...names: string[]) => words.flatMap((word, at) => (names.includes(word) ? [words[at + 1] ?? ""] : []));
  const url = words.find((word) => /^(\$API|\$\{?API\}?|https:\/\/sign\.example\.com\/api\/v2)\//.test(word));
  if (url === undefined) return null;
  const [path = "", query = ""] = url.replace(/^.*?(API\}?|\/api\/v2)(?=\/)/, "").split("?");
  const [body] = of("-d", "--data");
  const parts = of("-F").map((part) => part.split("=")[0] ?? "");
  const method = of("-X")[0] ?? (body !== undefined || parts.length > 0 ? "POST" : "GET");
  return { method, path, query: new URLSearchParams(query), body: body === undefined || body.startsWith("@") ? null : filled(body), parts };
}

/** Requests that are named in a text between backticks. */
export function namedIn(text: string): Request[] {
  return [...text.matchAll(new RegExp(`\`(${METHODS}) ([/…][^\\s\`]*)[^\`]*\``, "g"))].map(([, method = "", target = ""]) => {
    const [path = "", query = ""] = target.split("?");
    return { method, path: path.replace(/[.,]$/, ""), query: new URLSearchParams(query), body: null, parts: [] };
  });
}

/** The operations that a request can reach. A path that does not begin as those of the API do is the end of one. */
export function operationsOf({ method, path }: Pick<Request, "method" | "path">, endpoints: readonly Endpoint[]): Endpoint[] {
  const wanted = path.replace(/^…\/?/, "/").split("/").slice(1);
  const isWhole = !path.startsWith("…") && endpoints.some((endpoint) => endpoint.path.split("/")[1] === wanted[0]);
  return endpoints.filter((endpoint) => {
    if (endpoint.method !== method) return false;
    const own = endpoint.path.split("/").slice(1);
    const end = isWhole ? own : own.slice(-wanted.length);
    return end.length === wanted.length && end.every((segment, at) => isMeant(segment, wanted[at] ?? "", isWhole));
  });
}

/** A parameter is written as `:envelope_id`, `$ENVELOPE`, `env_…` or an id. In the end of a path, `:method` can be any of several words. */
function isMeant(segment: string, written: string, isWhole: boolean): boolean {
  if (segment === written) return true;
  return segment.startsWith(":") ? /^(:\w+|\$\{?\w+\}?|\w+_(…|\w+)|…)$/.test(written) : !isWhole && written.startsWith(":");
}
