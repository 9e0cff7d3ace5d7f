import fastifySwagger from "@fastify/swagger";
import fastifySwaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { API_PREFIX } from "./paths.ts";

/**
 * The API's description at /api/v2/openapi.json, as it is, and as a page at /docs with its assets from this server. Written when somebody
 * asks: most starts of the service are over before anybody does.
 */
export async function addDocs(app: FastifyInstance, describe: () => Record<string, unknown>): Promise<void> {
  let document: Record<string, unknown> | undefined;
  const described = (): Record<string, unknown> => {
    document ??= describe();
    return document;
  };
  app.get(`${API_PREFIX}/openapi.json`, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(JSON.stringify(described())),
  );
  await app.register(fastifySwagger, { mode: "static", specification: { document: {} as never } });
  await app.register(fastifySwaggerUi, {
    routePrefix: "/docs",
    transformSpecification: described,
    transformSpecificationClone: false,
    staticCSP:
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
    // The plain layout: no bar with another product's name.
    uiConfig: { layout: "BaseLayout", persistAuthorization: false, tryItOutEnabled: true },
    theme: { title: "Countersign API" },
  });
}
