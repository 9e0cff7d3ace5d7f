import type { FastifyInstance } from "fastify";
import type { Db } from "../db/connect.ts";
import type { Visitor } from "./endpoint.ts";
import { type AddressLimit, limitAddress } from "./limit-address.ts";
import { visitorOf } from "./request.ts";

/** Where another site sends a browser back to, outside /api/v2. The browser is always sent on, to a page of ours. */
export interface Return {
  /** `:id` in it is given to `run` */
  readonly path: string;
  readonly limit: AddressLimit;
  /** The address to go on to. `query`: as it came, without the question mark. */
  readonly run: (visitor: Visitor, id: string, query: string) => Promise<string>;
}

export function addReturn(app: FastifyInstance, db: Db, { path, limit, run }: Return): void {
  // A HEAD would use up what works once.
  app.get<{ Params: { id: string } }>(path, { exposeHeadRoute: false }, async (request, reply) => {
    await limitAddress(db, request, reply, limit);
    const [, query = ""] = request.url.split(/\?(.*)/s);
    return reply.header("cache-control", "no-store").redirect(await run(visitorOf(request), request.params.id, query));
  });
}
