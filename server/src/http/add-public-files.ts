import type { FastifyInstance } from "fastify";
import type { Db } from "../db/connect.ts";
import type { Read } from "../db/sql.ts";
import { Problem } from "../shared/problems.ts";
import { addressGroup } from "./address.ts";
import { quotaHeaders, takeQuota } from "./quota.ts";
import { addressOf } from "./request.ts";

export interface PublicFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** the Cache-Control header */
  readonly cache: string;
}

export interface PublicFiles {
  /** the first part of every path, `log` */
  readonly folder: string;
  /** per address */
  readonly requestsPerMinute: number;
  /** what is at a path inside the folder; null is 404 */
  read(read: Read, path: string): Promise<PublicFile | null>;
}

/** Serves files that the database makes, to anyone. Their paths are compared as they were sent: one with percent signs is another path. */
export function addPublicFiles(app: FastifyInstance, db: Db, { folder, requestsPerMinute, read: readFile }: PublicFiles): void {
  app.get(`/${folder}/*`, async (request, reply) => {
    const path = (request.url.split("?")[0] ?? "").slice(folder.length + 2);
    const { taken, file } = await db.lease(async (read) => {
      const counted = await takeQuota(read, `${folder}:${addressGroup(addressOf(request))}`, requestsPerMinute, 60);
      return { taken: counted, file: counted.accepted ? await readFile(read, path) : null };
    });
    reply.headers(quotaHeaders(taken));
    if (!taken.accepted) throw new Problem("rate_limited");
    if (file === null) throw new Problem("not_found");
    return reply.header("cache-control", file.cache).type(file.type).send(file.bytes);
  });
}
