import type { FastifyInstance } from "fastify";
import type { ProblemCode } from "../shared/problems.ts";

/** A reason for the operator; null if nothing is wrong. */
export type Reason = () => Promise<string | null>;

/** `not ready`: the process must get no requests. `degraded`: something does not work, and everything else does. */
export type Level = "not ready" | "degraded";

export interface Finding {
  readonly level: Level;
  readonly says: string;
}

export interface Check {
  /** if the check fails or does not answer */
  readonly level: Level;
  /** asked each time, because it costs nothing */
  readonly isFresh?: boolean;
  find(): Promise<Finding | null>;
}

const checkOf =
  (level: Level) =>
  (reason: Reason): Check => ({
    level,
    async find() {
      const says = await reason();
      return says === null ? null : { level, says };
    },
  });

/** While it fails, the process is not ready. */
export const hard = checkOf("not ready");

/** While it fails, the process is degraded. */
export const reported = checkOf("degraded");

export interface Readiness {
  readonly status: "ready" | Level;
  readonly checks: Readonly<Record<string, string>>;
}

export interface Health {
  /** a reason to restart the process; null if there is none */
  alive(): Promise<string | null>;
  ready(): Promise<Readiness>;
}

export interface HealthOptions {
  readonly alive?: Reason;
  /** a check that threw */
  readonly onFailure: (error: unknown) => void;
  /** shorter in tests */
  readonly rememberedMs?: number;
  readonly limitMs?: number;
}

// Anyone can ask for readiness as often as they like, and a load balancer asks every few seconds.
const REMEMBERED_MS = 5_000;
// Load balancers rarely wait longer for an answer.
const LIMIT_MS = 2_000;

export function buildHealth(checks: Readonly<Record<string, Check>>, options: HealthOptions): Health {
  const remembered = Object.entries(checks).map(([name, check]) => [name, remember(check, options)] as const);
  return {
    alive: options.alive ?? (async () => null),
    async ready() {
      const found = await Promise.all(remembered.map(async ([name, find]) => [name, await find()] as const));
      const levels = found.flatMap(([, finding]) => finding?.level ?? []);
      return {
        status: levels.includes("not ready") ? "not ready" : levels.includes("degraded") ? "degraded" : "ready",
        checks: Object.fromEntries(found.map(([name, finding]) => [name, finding?.says ?? "ok"])),
      };
    },
  };
}

function remember(
  check: Check,
  { onFailure, rememberedMs = REMEMBERED_MS, limitMs = LIMIT_MS }: HealthOptions,
): () => Promise<Finding | null> {
  let latest: { readonly until: number; readonly finding: Promise<Finding | null> } | null = null;
  let running: Promise<Finding | null> | null = null;
  const start = (): Promise<Finding | null> => {
    const asked = check
      .find()
      .catch((error: unknown) => {
        onFailure(error);
        return { level: check.level, says: "failed; see the log" };
      })
      .finally(() => {
        running = null;
      });
    return asked;
  };
  return () => {
    if (latest !== null && Date.now() < latest.until && check.isFresh !== true) return latest.finding;
    // A check that has not answered yet is not asked a second time.
    running ??= start();
    const finding = within(limitMs, running, { level: check.level, says: `no answer within ${limitMs / 1000} seconds` });
    latest = { until: Date.now() + rememberedMs, finding };
    return finding;
  };
}

async function within(ms: number, asked: Promise<Finding | null>, late: Finding): Promise<Finding | null> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => resolve(late), ms);
  });
  return Promise.race([asked, limit]).finally(() => clearTimeout(timer));
}

export interface HealthAnswer {
  readonly status: 200 | 503;
  readonly body: object;
}

export async function answerAlive(health: Health): Promise<HealthAnswer> {
  const reason = await health.alive();
  return reason === null ? { status: 200, body: { status: "ok" } } : { status: 503, body: { status: reason } };
}

export async function answerReady(health: Health): Promise<HealthAnswer> {
  const readiness = await health.ready();
  return { status: readiness.status === "not ready" ? 503 : 200, body: readiness };
}

/** Liveness and readiness for load balancers, outside /api/v2. */
export function addHealth(app: FastifyInstance, health: Health): void {
  for (const [url, answer] of [
    ["/healthz", answerAlive],
    ["/readyz", answerReady],
  ] as const) {
    app.get(url, { config: { site: "both" } }, async (_request, reply) => {
      const { status, body } = await answer(health);
      if (status === 503) reply.header("x-error-code", "not_ready" satisfies ProblemCode);
      return reply.code(status).send(body);
    });
  }
}
