import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Static, TObject } from "typebox";
import type { Db } from "../db/connect.ts";
import type { Origin } from "../shared/caller.ts";
import { Problem } from "../shared/problems.ts";
import { addressGroup } from "./address.ts";
import type { JsonBody } from "./body.ts";
import { REFUSALS_PER_MINUTE, takeQuota } from "./quota.ts";
import { addressOf, originOf } from "./request.ts";
import { requireObject, validator } from "./validate.ts";

/** A POST by another system, outside /api/v2, that is admitted with a token from the configuration. It belongs to no organization. */
export interface Inbound<B extends TObject> {
  readonly path: string;
  readonly maxBodyBytes: number;
  readonly body: B;
  /** another media type than JSON, whose bytes are passed on as they are */
  readonly rawType: string;
  /** The response is 202 whatever it finds. It throws only for a request that is wrong in itself. */
  readonly run: (from: Origin, given: Static<B> | Uint8Array) => Promise<void>;
}

const NO_BODY: Pick<JsonBody, "value"> = { value: {} };

export function addInbound<B extends TObject>(app: FastifyInstance, db: Db, token: string, inbound: Inbound<B>): void {
  const { path: url, maxBodyBytes, rawType } = inbound;
  const checkQuery = validator(undefined, "query");
  const checkBody = validator(inbound.body, "body");
  app.route({
    method: "POST",
    url,
    config: { maxBodyBytes, rawType },
    // Before the body is read.
    onRequest: async (request) => {
      if (!isToken(tokenIn(request), token)) await refuseToken(db, request);
    },
    handler: async (request, reply) => {
      checkQuery(request.query);
      const body = request.body ?? NO_BODY;
      const given = body instanceof Uint8Array ? body : checkBody(requireObject((body as JsonBody).value)).value;
      await inbound.run(originOf(request), given as Static<B> | Uint8Array);
      return reply
        .code(202)
        .type("application/json; charset=utf-8")
        .send(JSON.stringify({ data: { accepted: true } }));
    },
  });
}

/** Senders that know only addresses put the token into one, as its password. */
function tokenIn({ headers: { authorization = "" } }: FastifyRequest): string | null {
  const [, scheme = "", value = ""] = /^(Bearer|Basic) +(\S+)$/i.exec(authorization) ?? [];
  if (scheme === "") return null;
  if (scheme.toLowerCase() === "bearer") return value;
  const pair = Buffer.from(value, "base64").toString("utf8");
  return pair.includes(":") ? pair.slice(pair.indexOf(":") + 1) : null;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Takes the same time wherever the difference is. */
const isToken = (given: string | null, token: string): boolean => given !== null && timingSafeEqual(digest(given), digest(token));

async function refuseToken(db: Db, request: FastifyRequest): Promise<never> {
  const subject = `refused:${addressGroup(addressOf(request))}`;
  const { accepted } = await db.lease((read) => takeQuota(read, subject, REFUSALS_PER_MINUTE, 60));
  throw accepted ? new Problem("invalid_token") : new Problem("rate_limited", "refused credentials");
}
