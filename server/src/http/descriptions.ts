import type { FastifyInstance } from "fastify";
import { API_PREFIX } from "./paths.ts";

export interface Described {
  readonly api: Record<string, unknown>;
  readonly pages: Record<string, unknown>;
}

/**
 * Serves the API descriptions at /api/v2/openapi.json and openapi-pages.json. They are generated on the first request, because most runs of
 * the service never need them.
 */
export function addDescriptions(app: FastifyInstance, describe: () => Described): void {
  const json = (path: string, document: () => Record<string, unknown>) =>
    app.get(API_PREFIX + path, async (_request, reply) => reply.type("application/json; charset=utf-8").send(JSON.stringify(document())));
  json("/openapi.json", () => describe().api);
  json("/openapi-pages.json", () => describe().pages);
}
