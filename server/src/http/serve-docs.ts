import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem, type ProblemCode } from "../shared/problems.ts";
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
interface Listing {
  readonly files: ReadonlyMap<string, Listed>;
  readonly notFound: Listed;
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const HEADERS = {
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  // The same pages are on every instance.
  "x-robots-tag": "noindex",
};

/** The names of assets contain the hash of their content, so the content never changes. */
const ASSETS = "assets/";
/** A path whose ending is not that of a page. */
const FILE = /\.(?!html$)[a-z0-9]+$/;
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
    const { files, notFound } = await listed();
    const file = files.get(path);
    if (file !== undefined) return sendListed(request, reply, folder, file, path);
    const page = path.replace(/(\.html|\/)$/, "").replace(/^index$/, "");
    if (files.has(page)) return reply.redirect(`/docs/${page}`);
    // Programs ask for files, and read the error as everywhere else. People ask for pages.
    if (FILE.test(path)) throw new Problem("not_found");
    return sendNotFound(request, reply, folder, notFound);
  });
}

async function readListing(folder: string): Promise<Listing> {
  const { files, notFound } = JSON.parse((await readBuilt(join(folder, "site.json"))).toString("utf8")) as {
    files: Record<string, Listed>;
    notFound: Listed;
  };
  return { files: new Map(Object.entries(files)), notFound };
}

async function sendListed(
  request: FastifyRequest,
  reply: FastifyReply,
  folder: string,
  listed: Listed,
  path: string,
): Promise<FastifyReply> {
  const isAsset = path.startsWith(ASSETS);
  reply.headers({ ...HEADERS, "cache-control": isAsset ? "public, max-age=31536000, immutable" : "no-cache" });
  const encoding = encodingOf(request, listed);
  if (encodedAs(request, reply, encoding, listed.tag)) return reply.code(304).send();
  return sendBytes(reply, folder, listed, encoding);
}

async function sendNotFound(request: FastifyRequest, reply: FastifyReply, folder: string, page: Listed): Promise<FastifyReply> {
  reply.code(404).headers({ ...HEADERS, "cache-control": "no-cache", "x-error-code": "not_found" satisfies ProblemCode });
  const encoding = encodingOf(request, page);
  encodedAs(request, reply, encoding);
  return sendBytes(reply, folder, page, encoding);
}

const encodingOf = (request: FastifyRequest, { compressed }: Listed): Encoding | null =>
  encodingFor(request, compressed ? encodings.map(([name]) => name) : []);

async function sendBytes(reply: FastifyReply, folder: string, { file, type }: Listed, encoding: Encoding | null): Promise<FastifyReply> {
  const ending = encodings.find(([name]) => name === encoding)?.[1] ?? "";
  return reply.type(type).send(await readBuilt(join(folder, file + ending)));
}
