import type { FastifyReply, FastifyRequest } from "fastify";
import type { Db } from "../db/connect.ts";
import { Problem } from "../shared/problems.ts";
import { addressGroup } from "./address.ts";
import { quotaHeaders, takeQuota } from "./quota.ts";
import { addressOf } from "./request.ts";

/** How often one address can ask for what is open to anyone. Paths with the same subject share the limit. */
export interface AddressLimit {
  readonly subject: string;
  readonly requestsPerMinute: number;
}

/** Counts the request and sets the headers that say so; 429 if the limit is used up. Holds no connection afterwards. */
export async function limitAddress(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  { subject, requestsPerMinute }: AddressLimit,
): Promise<void> {
  const counted = `${subject}:${addressGroup(addressOf(request))}`;
  const taken = await db.lease((read) => takeQuota(read, counted, requestsPerMinute, 60));
  reply.headers(quotaHeaders(taken));
  if (!taken.accepted) throw new Problem("rate_limited");
}
