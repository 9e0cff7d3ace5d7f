import fastifySwagger from "@fastify/swagger";
import fastifySwaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { API_PREFIX } from "./server.ts";

/** The API's description at /api/v2/openapi.json, as it is, and as a page at /docs with its assets from this server. */
export async function addDocs(app: FastifyInstance, document: Record<string, unknown>): Promise<void> {
  const json = JSON.stringify(document);
  app.get(`${API_PREFIX}/openapi.json`, async (_request, reply) => reply.type("application/json; charset=utf-8").send(json));
  await app.register(fastifySwagger, { mode: "static", specification: { document: document as never } });
  await app.register(fastifySwaggerUi, {
    routePrefix: "/docs",
    staticCSP:
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
    // The plain layout: no bar with another product's name.
    uiConfig: { layout: "BaseLayout", persistAuthorization: false, tryItOutEnabled: true },
    theme: { title: "Countersign API" },
  });
}
