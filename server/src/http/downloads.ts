import { basename } from "node:path";
import type { FastifyInstance } from "fastify";
import { tagOf } from "./if-match.ts";
import { readBuilt } from "./read-built.ts";

/** Serves a file of the build as a download. It is read when requested; 404 if it was not built. */
export function addDownload(app: FastifyInstance, path: string, file: string, type: string): void {
  app.get(path, async (request, reply) => {
    const bytes = await readBuilt(file);
    const etag = tagOf(bytes);
    reply.headers({ etag, "cache-control": "no-cache" });
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    return reply
      .header("content-disposition", `attachment; filename="${basename(path)}"`)
      .type(type)
      .send(bytes);
  });
}
