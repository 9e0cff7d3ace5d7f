import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../shared/problems.ts";
import { readBuilt } from "./read-built.ts";
import { type Encoding, encodedAs, encodingFor } from "./send-built.ts";

/** What site/build.mjs writes beside the pages: every file by its path below /docs/. Paths from requests are never looked up on the disk. */
interface Listed {
  readonly file: string;
  readonly type: string;
  /** of the content */
  readonly tag: string;
  /** whether it is also there as `.br` and `.gz` */
  readonly compressed: boolean;
}
type Listing = ReadonlyMap<string, Listed>;

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** The names of assets contain the hash of their content, so the content never changes. */
const ASSETS = "assets/";
const encodings: readonly (readonly [encoding: Encoding, ending: string])[] = [
  ["br", ".br"],
  ["gzip", ".gz"],
];

/** Serves the documentation site at /docs. Its files are read when they are requested, because most runs of the service never need them. */
export function serveDocs(app: FastifyInstance, folder: string): void {
  let listing: Promise<Listing> | undefined;
  const listed = () => {
    listing ??= readListing(folder).catch((error: unknown) => {
      // It can be built later.
      listing = undefined;
      throw error;
    });
    return listing;
  };
  app.get("/docs", async (_request, reply) => reply.redirect("/docs/"));
  app.get("/docs/*", async (request, reply) => {
    const path = (request.params as { "*": string })["*"];
    // The page that was here before had its files in this folder, and its description of the API at /docs/json.
    if (path.startsWith("static/")) return reply.redirect("/docs/");
    if (path === "json") return reply.redirect("/docs/openapi.json");
    const files = await listed();
    const file = files.get(path);
    if (file !== undefined) return sendListed(request, reply, folder, file, path);
    const page = path.replace(/(\.html|\/)$/, "").replace(/^index$/, "");
    if (!files.has(page)) throw new Problem("not_found");
    return reply.redirect(`/docs/${page}`);
  });
}

async function readListing(folder: string): Promise<Listing> {
  const { files } = JSON.parse((await readBuilt(join(folder, "site.json"))).toString("utf8")) as { files: Record<string, Listed> };
  return new Map(Object.entries(files));
}

async function sendListed(
  request: FastifyRequest,
  reply: FastifyReply,
  folder: string,
  listed: Listed,
  path: string,
): Promise<FastifyReply> {
  const { file, type, tag, compressed } = listed;
  const encoding = encodingFor(request, compressed ? encodings.map(([name]) => name) : []);
  const isAsset = path.startsWith(ASSETS);
  reply.headers({
    "content-security-policy": POLICY,
    "cache-control": isAsset ? "public, max-age=31536000, immutable" : "no-cache",
    "cross-origin-opener-policy": "same-origin",
    // The same pages are on every instance.
    "x-robots-tag": "noindex",
  });
  if (encodedAs(request, reply, encoding, tag)) return reply.code(304).send();
  const ending = encodings.find(([name]) => name === encoding)?.[1] ?? "";
  return reply.type(type).send(await readBuilt(join(folder, file + ending)));
}
