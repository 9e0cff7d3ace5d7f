import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../shared/problems.ts";
import type { BuiltFile, BuiltPage, BuiltWeb } from "./built-web.ts";

/** The pages of the build and their files. */

/** A page for what its path names last, one thing or anything. Which features have one is theirs to say: http/ knows none of them. */
export interface Shell {
  /** `/sign/:envelope_id`, `/console/*` */
  readonly path: `/${string}/:${string}` | `/${string}/*`;
  /** where it is, when widgets have a host of their own */
  readonly site: "embed" | "console";
  /** its place in the build; without it there the path is 404 */
  readonly page: string;
  /** Never throws for what a path may hold: the page has the words for it. */
  readonly open: (named: string) => Promise<OpenedShell>;
}

export interface OpenedShell {
  /** those who may show the page in a frame, as CSP writes them; nobody when it is empty */
  readonly framedBy: readonly string[];
  /** what the page's scripts find in it */
  readonly boot: Readonly<Record<string, unknown>>;
}

export interface ShellOptions {
  readonly shells: readonly Shell[];
  /** null: tests of what has no pages */
  readonly web: BuiltWeb | null;
}

export function addWeb(app: FastifyInstance, { shells, web }: ShellOptions): void {
  if (web === null) return;
  for (const shell of shells) {
    const page = web.pages.get(shell.page);
    if (page !== undefined) addShell(app, shell, page);
  }
  const config = { site: "both" } as const;
  app.get("/assets/:name", { config }, async (request, reply) => {
    const file = web.assets.get((request.params as { name: string }).name);
    if (file === undefined) throw new Problem("not_found");
    return sendBuilt(request, reply.header("cache-control", "public, max-age=31536000, immutable"), file);
  });
  const tag = createHash("sha256").update(web.embedScript.bytes).digest("base64url").slice(0, 27);
  app.get("/embed.js", { config }, async (request, reply) => {
    // A module from another origin is fetched by the rules of CORS, whatever its resource policy says.
    reply.headers({ "cache-control": "public, max-age=3600", ...anyOrigin });
    return sendBuilt(request, reply, web.embedScript, tag);
  });
}

const anyOrigin = { "cross-origin-resource-policy": "cross-origin", "access-control-allow-origin": "*" };

function addShell(app: FastifyInstance, { path, site, open }: Shell, page: BuiltPage): void {
  const name = path.endsWith("*") ? "*" : path.slice(path.indexOf(":") + 1);
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const { boot, framedBy } = await open((request.params as Record<string, string>)[name] ?? "");
    reply.header("content-security-policy", shellPolicy(page, framedBy));
    // Whoever opens the console from another page gets no hold of its window.
    if (site === "console") reply.header("cross-origin-opener-policy", "same-origin");
    // Browsers that know frame-ancestors ignore it; those that do not would refuse the partner's page.
    if (framedBy.length > 0) reply.removeHeader("x-frame-options");
    return reply.type("text/html; charset=utf-8").send(`${page.before}${dataBlock(boot)}${page.after}`);
  };
  const options = { config: site === "embed" ? { site } : {} };
  app.get(path, options, serve);
  if (name === "*") app.get(path.slice(0, -2), options, serve);
}

/** Inside a script element only `<` could end it, or begin a comment. */
const dataBlock = (boot: OpenedShell["boot"]): string => JSON.stringify(boot).replaceAll("<", "\\u003c");

/** Nothing from elsewhere, and no script but the page's own. */
function shellPolicy({ scriptHashes }: BuiltPage, framedBy: readonly string[]): string {
  const scripts = scriptHashes.map((hash) => ` '${hash}'`).join("");
  const framers = framedBy.length === 0 ? "'none'" : framedBy.join(" ");
  return (
    `default-src 'none'; script-src 'self'${scripts}; style-src 'self'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; ` +
    `base-uri 'none'; form-action 'none'; frame-ancestors ${framers}; require-trusted-types-for 'script'; trusted-types 'none'`
  );
}

/** In the form that the browser likes best of those that were built. With a tag, `If-None-Match` gives 304. */
function sendBuilt(request: FastifyRequest, reply: FastifyReply, file: BuiltFile, tag?: string): FastifyReply {
  const encoding = encodingFor(request.headers["accept-encoding"], file);
  reply.header("vary", "Accept-Encoding");
  if (encoding !== null) reply.header("content-encoding", encoding);
  if (tag !== undefined) {
    const full = `"${encoding === null ? tag : `${tag}-${encoding}`}"`;
    reply.header("etag", full);
    const known = (request.headers["if-none-match"] ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""));
    if (known.includes("*") || known.includes(full)) return reply.code(304).send();
  }
  return reply.type(file.type).send(encoding === null ? file.bytes : file[encoding]);
}

/** RFC 9110, 12.5.3, as far as browsers use it: what is listed is welcome, unless with a weight of nought. */
function encodingFor(accepted: string | undefined, file: BuiltFile): "br" | "gzip" | null {
  const listed = (accepted ?? "")
    .toLowerCase()
    .split(",")
    .map((part) => part.split(";").map((piece) => piece.trim()));
  const isWelcome = (name: string) => listed.some(([coding, weight = "q=1"]) => coding === name && !/^q=0(\.0*)?$/.test(weight));
  return (["br", "gzip"] as const).find((name) => file[name] !== null && isWelcome(name)) ?? null;
}
