import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Db } from "../db/connect.ts";
import { Problem } from "../shared/problems.ts";
import type { BuiltPage, BuiltVerifier, BuiltWeb } from "./built-web.ts";
import { permissionsPolicy } from "./headers.ts";
import { type AddressLimit, limitAddress } from "./limit-address.ts";
import { sendBuilt } from "./send-built.ts";

/** Serves the built pages and their files. */

/** A page with a parameter, a wildcard or nothing more in its path. Features declare their shells; http/ does not depend on them. */
export interface Shell {
  /** `/sign/:envelope_id`, `/console/*`, `/p/` */
  readonly path: `/${string}/:${string}` | `/${string}/*` | `/${string}/`;
  /** the host that serves it if widgets have a separate host */
  readonly site: "embed" | "console";
  /** its path in the build; if the build has no such page, the path is 404 */
  readonly page: string;
  /** for a page that anyone can open and that reads something of an organization */
  readonly limit?: AddressLimit;
  /** shows other pages of this site in frames */
  readonly hasFrames?: boolean;
  /** features of the browser that the page uses and every other page has turned off, by their names in Permissions-Policy */
  readonly uses?: readonly string[];
  /** Never throws because of the path's content: the page shows the error. */
  readonly open: (named: string) => Promise<OpenedShell>;
}

export interface OpenedShell {
  /** the origins that can frame the page, as CSP sources; none if empty */
  readonly framedBy: readonly string[];
  /** data for the page's scripts */
  readonly boot: Readonly<Record<string, unknown>>;
  /** 404: what the path names does not exist, and the page says so */
  readonly isMissing?: boolean;
}

export interface ShellOptions {
  readonly shells: readonly Shell[];
  /** null in tests that need no pages */
  readonly web: BuiltWeb | null;
  readonly db: Db;
}

export function addWeb(app: FastifyInstance, { shells, web, db }: ShellOptions): void {
  if (web === null) return;
  for (const shell of shells) {
    const page = web.pages.get(shell.page);
    if (page !== undefined) addShell(app, db, shell, page);
  }
  const config = { site: "both" } as const;
  app.get("/assets/:name", { config }, async (request, reply) => {
    const file = web.assets.get((request.params as { name: string }).name);
    if (file === undefined) throw new Problem("not_found");
    return sendBuilt(request, reply.header("cache-control", "public, max-age=31536000, immutable"), file);
  });
  const tag = createHash("sha256").update(web.embedScript.bytes).digest("base64url").slice(0, 27);
  app.get("/embed.js", { config }, async (request, reply) => {
    // Modules from another origin are always fetched with CORS, regardless of the resource policy.
    reply.headers({ "cache-control": "public, max-age=3600", ...anyOrigin });
    return sendBuilt(request, reply, web.embedScript, tag);
  });
  if (web.verifier !== null) addVerifier(app, web.verifier);
}

/** Public: anyone with a bundle can verify it here, or save the page and verify without a network. */
function addVerifier(app: FastifyInstance, page: BuiltVerifier): void {
  const tag = createHash("sha256").update(page.bytes).digest("base64url").slice(0, 27);
  for (const path of ["/verify", "/verify/"]) {
    app.get(path, { config: { site: "both" } }, async (request, reply) => {
      reply.headers({ "cache-control": "public, max-age=3600", "content-security-policy": `${page.policy}; frame-ancestors 'none'` });
      return sendBuilt(request, reply, page, tag);
    });
  }
}

const anyOrigin = { "cross-origin-resource-policy": "cross-origin", "access-control-allow-origin": "*" };

function addShell(app: FastifyInstance, db: Db, { path, site, limit, uses, hasFrames = false, open }: Shell, page: BuiltPage): void {
  const name = path.endsWith("*") ? "*" : path.slice(path.indexOf(":") + 1);
  const without = path.endsWith("/") ? path.slice(0, -1) : path.slice(0, -2);
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    if (limit !== undefined) await limitAddress(db, request, reply, limit);
    const { boot, framedBy, isMissing = false } = await open((request.params as Record<string, string>)[name] ?? "");
    reply.header("content-security-policy", shellPolicy(page, framedBy, hasFrames));
    if (uses !== undefined) reply.header("permissions-policy", permissionsPolicy(uses));
    // A page that opens the console gets no reference to its window.
    if (site === "console") reply.header("cross-origin-opener-policy", "same-origin");
    // Browsers that support frame-ancestors ignore x-frame-options. Others would refuse the partner's page.
    if (framedBy.length > 0) reply.removeHeader("x-frame-options");
    // The pages say so themselves, but programs that only read headers must know it too.
    reply.header("x-robots-tag", "noindex").code(isMissing ? 404 : 200);
    return reply.type("text/html; charset=utf-8").send(`${page.before}${dataBlock(boot)}${page.after}`);
  };
  const options = { config: site === "embed" ? { site } : {} };
  app.get(path, options, serve);
  if (name === "*" || path.endsWith("/")) app.get(without, options, serve);
}

/** Inside a script element, only `<` can end the element or start a comment. */
const dataBlock = (boot: OpenedShell["boot"]): string => JSON.stringify(boot).replaceAll("<", "\\u003c");

/** Allows only the page's own scripts and nothing from other origins. */
function shellPolicy({ scriptHashes }: BuiltPage, framedBy: readonly string[], hasFrames: boolean): string {
  const scripts = scriptHashes.map((hash) => ` '${hash}'`).join("");
  const framers = framedBy.length === 0 ? "'none'" : framedBy.join(" ");
  return (
    `default-src 'none'; script-src 'self'${scripts}; style-src 'self'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; ${hasFrames ? "frame-src 'self'; " : ""}` +
    `base-uri 'none'; form-action 'none'; frame-ancestors ${framers}; require-trusted-types-for 'script'; trusted-types 'none'`
  );
}
