import type { FastifyInstance } from "fastify";
import type { ProblemCode } from "../shared/problems.ts";

/** A readiness check: null if it passes, otherwise the reason for the operator. */
export type Check = () => Promise<string | null>;

/** Liveness and readiness for load balancers, outside /api/v2. */
export function addHealth(app: FastifyInstance, checks: Readonly<Record<string, Check>>, onFailure: (error: unknown) => void): void {
  const config = { site: "both" } as const;
  app.get("/healthz", { config }, async (_request, reply) => reply.send({ status: "ok" }));
  app.get("/readyz", { config }, async (_request, reply) => {
    const entries = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, (await reasonOf(check, onFailure)) ?? "ok"] as const),
    );
    const ready = entries.every(([, result]) => result === "ok");
    if (!ready) reply.header("x-error-code", "not_ready" satisfies ProblemCode);
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "not ready", checks: Object.fromEntries(entries) });
  });
}

async function reasonOf(check: Check, onFailure: (error: unknown) => void): Promise<string | null> {
  try {
    return await check();
  } catch (error) {
    onFailure(error);
    return "failed; see the log";
  }
}
