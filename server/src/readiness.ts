import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import type { Db } from "./db/connect.ts";
import { lookUpHeld } from "./db/mode.ts";
import { databaseReason, tenancyReason } from "./db/readiness.ts";
import type { Features } from "./features.ts";
import { buildHealth, type Finding, type Health, type HealthOptions, hard, type Reason, reported } from "./http/health.ts";
import { failingReason, loopsReason, stuckReason } from "./http/liveness.ts";
import { isStopping } from "./http/stop.ts";
import { migrationsReason } from "./schema.ts";
import { sealReadiness } from "./seals/readiness.ts";
import { diskSpace, fullnessOf } from "./storage/disk-space.ts";
import { storageReadiness } from "./storage/readiness.ts";
import { logReadiness } from "./transparency/readiness.ts";

/** What the service must reach before it answers requests or runs jobs: the checks of docs/operations.md, "Health". */

/** What health needs to know of the process. */
export interface Life {
  readonly isStopping: boolean;
  /** whether people and systems send it requests */
  readonly serves: boolean;
  /** when each loop of a worker last did its work, in milliseconds; null if no worker runs */
  readonly turns: (() => Readonly<Record<string, number>>) | null;
}

export const lifeOf = (app: FastifyInstance): Life => ({
  get isStopping() {
    return isStopping(app);
  },
  serves: true,
  turns: null,
});

interface HealthParts {
  readonly config: Config;
  readonly db: Db;
  readonly features: Features;
  readonly logger: Logger;
  readonly sealing: Reason;
  readonly life: Life;
  /** in tests, which neither wait nor fail because the machine is busy */
  readonly checks?: Pick<HealthOptions, "rememberedMs" | "limitMs">;
}

export function healthOf({ config, db, features, logger, sealing, life, checks = {} }: HealthParts): Health {
  const database = () => databaseReason(db);
  return buildHealth(
    {
      service: { ...hard(async () => (life.isStopping ? "stopping" : null)), isFresh: true },
      database: hard(database),
      tenancy: hard(() => tenancyReason(db)),
      migrations: hard(
        async () =>
          (await tenancyReason(db)) ?? ((await database()) === null ? migrationsReason(db) : "unknown while the database is away"),
      ),
      mode: (life.serves && !config.readyWhenHeld ? hard : reported)(() => heldReason(db)),
      disk: { level: "not ready", find: () => lookUpDiskFault(config.dataDir) },
      storage: reported(storageReadiness(features.storage.blobs, (err) => logger.warn({ err }, "blob store away"))),
      seals: reported(sealing),
      log: reported(() => logReadiness(features.log)),
      ...(features.mail.smtp === null ? {} : { mail: reported(failingReason(features.mailOutcomes, "the mail server")) }),
      ...(features.seals.timeStamps.url === null || features.seals.timeStamps.outcomes === undefined
        ? {}
        : { time_stamps: reported(failingReason(features.seals.timeStamps.outcomes, "the time-stamp authority")) }),
      ...(life.turns === null ? {} : { loops: hard(loopsReason(life)) }),
    },
    {
      alive: stuckReason(life, async () => (await database()) === null),
      onFailure: (err) => logger.warn({ err }, "not ready"),
      ...checks,
    },
  );
}

/** A worker goes on, because most jobs send nothing. What serves gets no visitors while it is held, unless the operator wants that. */
async function heldReason(db: Db): Promise<string | null> {
  if ((await databaseReason(db)) !== null) return "unknown while the database is away";
  const held = await db.system(lookUpHeld);
  return held === null ? null : `held since ${held.since.toISOString()} by ${held.by}: nothing is sent. To end it: countersign release`;
}

async function lookUpDiskFault(folder: string): Promise<Finding | null> {
  const fullness = fullnessOf(await diskSpace(folder));
  if (fullness === "enough") return null;
  return fullness === "full"
    ? { level: "not ready", says: "the disk of DATA_DIR is full" }
    : { level: "degraded", says: "the disk of DATA_DIR has less than 1 GB left" };
}

export const sealingOf = (features: Features, logger: Logger): Reason =>
  sealReadiness(features.seals, (err) => logger.error({ err }, "documents cannot be sealed"));
