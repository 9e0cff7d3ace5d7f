import type { FastifyInstance } from "fastify";
import type { Static, TObject } from "typebox";
import type { Db } from "../db/connect.ts";
import { Problem } from "../shared/problems.ts";
import { type AddressLimit, limitAddress } from "./limit-address.ts";
import { validator } from "./validate.ts";

/** JSON that anyone can ask for with a name that cannot be guessed, outside /api/v2. */
export interface PublicAnswer<Q extends TObject> {
  /** `/v/:code.json` */
  readonly path: `/${string}/:${string}.json`;
  readonly limit: AddressLimit;
  readonly query: Q;
  /** the text of the answer; null is 404 */
  readonly answer: (named: string, query: Static<Q>) => Promise<string | null>;
}

export function addPublicAnswer<Q extends TObject>(app: FastifyInstance, db: Db, { path, limit, query, answer }: PublicAnswer<Q>): void {
  const name = path.slice(path.indexOf(":") + 1, -".json".length);
  const checkQuery = validator(query, "query");
  app.get(path, async (request, reply) => {
    reply.header("x-robots-tag", "noindex");
    await limitAddress(db, request, reply, limit);
    const { value } = checkQuery(request.query);
    const text = await answer((request.params as Record<string, string>)[name] ?? "", value as Static<Q>);
    if (text === null) throw new Problem("not_found");
    return reply.type("application/json; charset=utf-8").send(text);
  });
}
