import fastifySwagger from "@fastify/swagger";
import fastifySwaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { API_PREFIX } from "./paths.ts";

interface Described {
  readonly api: Record<string, unknown>;
  readonly pages: Record<string, unknown>;
}

/**
 * Serves the API descriptions at /api/v2/openapi.json and openapi-pages.json, and the first one as a page at /docs with assets from this
 * server. They are generated on the first request, because most runs of the service never need them.
 */
export async function addDocs(app: FastifyInstance, describe: () => Described): Promise<void> {
  const json = (path: string, document: () => Record<string, unknown>) =>
    app.get(API_PREFIX + path, async (_request, reply) => reply.type("application/json; charset=utf-8").send(JSON.stringify(document())));
  json("/openapi.json", () => describe().api);
  json("/openapi-pages.json", () => describe().pages);
  await app.register(fastifySwagger, { mode: "static", specification: { document: {} as never } });
  await app.register(fastifySwaggerUi, {
    routePrefix: "/docs",
    transformSpecification: () => describe().api,
    transformSpecificationClone: false,
    staticCSP:
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
    // The plain layout, without a bar that shows another product's name.
    uiConfig: { layout: "BaseLayout", persistAuthorization: false, tryItOutEnabled: true },
    theme: { title: "Countersign API" },
  });
}
