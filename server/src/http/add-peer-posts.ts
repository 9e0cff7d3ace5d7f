import type { FastifyInstance } from "fastify";
import type { Static, TObject } from "typebox";
import type { Db } from "../db/connect.ts";
import { Problem } from "../shared/problems.ts";
import { addressGroup } from "./address.ts";
import type { JsonBody } from "./body.ts";
import { quotaHeaders, takeQuota } from "./quota.ts";
import { addressOf } from "./request.ts";
import { requireObject, validator } from "./validate.ts";

/** A POST by another installation, outside /api/v2. It has no credential: what it sends is signed, and `run` finds out by whom. */
export interface PeerPost<B extends TObject> {
  readonly path: string;
  readonly maxBodyBytes: number;
  readonly body: B;
  /** The value of `data` in the response. Uses its own transactions. */
  readonly run: (given: Static<B>) => Promise<unknown>;
}

// Signatures are checked for everyone who asks. A package of half a gigabyte has 256 pieces.
const REQUESTS_PER_MINUTE = 600;

const NO_BODY: Pick<JsonBody, "value"> = { value: {} };

export function addPeerPosts<B extends TObject>(app: FastifyInstance, db: Db, posts: readonly PeerPost<B>[]): void {
  for (const { path: url, maxBodyBytes, body, run } of posts) {
    const checkQuery = validator(undefined, "query");
    const checkBody = validator(body, "body");
    app.route({
      method: "POST",
      url,
      config: { maxBodyBytes },
      // Before the body is read.
      onRequest: async (request, reply) => {
        const taken = await db.lease((read) => takeQuota(read, `peer:${addressGroup(addressOf(request))}`, REQUESTS_PER_MINUTE, 60));
        reply.headers(quotaHeaders(taken));
        if (!taken.accepted) throw new Problem("rate_limited");
      },
      handler: async (request, reply) => {
        checkQuery(request.query);
        const given = checkBody(requireObject(((request.body as JsonBody | undefined) ?? NO_BODY).value)).value as Static<B>;
        return reply.type("application/json; charset=utf-8").send(JSON.stringify({ data: await run(given) }));
      },
    });
  }
}
