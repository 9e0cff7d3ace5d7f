import { setMaxListeners } from "node:events";
import type { AttemptId, DeliveryId, OrgId } from "../shared/ids.ts";
import { type AttemptedFor, isSuccess, type PreparedFor, prepareAttempts, prepareTogether, settle, settleTogether } from "./deliver.ts";
import type { Attempted } from "./delivery.ts";
import { type Due, takeDue } from "./delivery-store.ts";
import type { WebhookDeps } from "./endpoint.ts";
import { inBatches } from "./in-batches.ts";
import { postDelivery } from "./post-delivery.ts";

export interface Log {
  error(fields: object, message: string): void;
}

export interface DeliveryLoop {
  /** When it last looked for due deliveries without a failure, in milliseconds. */
  turnedAt(): number;
  /** Takes no new deliveries, waits briefly for running requests, then aborts them. Aborted deliveries are due again. */
  stop(): Promise<void>;
}

// A receiver that hangs occupies at most this many slots, so the others stay free.
const PER_ENDPOINT = 8;
const PER_WORKER = 64;
// For all endpoints of an organization together, across all workers: an organization with eight hanging endpoints must not take every
// place.
const PER_ORG = 24;
// Twice the longest exchange, so a live worker always finishes first. The attempt of a dead worker is repeated after this.
const LEASE_SECONDS = 30;
// The longest that a due delivery waits on an idle worker, and the shortest time between two queries on a busy one.
const POLL_MS = 200;
const REST_MS = 20;
const RETRY_MS = 1_000;
// A stop has 30 s in total; most receivers respond well within this.
const STOP_MS = 5_000;

/** The delivery loop of a worker. It reads rows instead of jobs, so a delivery that waits for its next attempt costs nothing. */
export function startDelivering(deps: WebhookDeps, log: Log): DeliveryLoop {
  const settler = makeSettler(deps, log);
  const aborter = new AbortController();
  // Each running request adds a listener.
  setMaxListeners(PER_WORKER, aborter.signal);
  const batches = new Set<Promise<void>>();
  let taken = 0;
  let stopping = false;
  let turned_at = Date.now();
  let wake: () => void = () => undefined;

  const release = (count: number): void => {
    taken -= count;
    if (count > 0) wake();
  };
  const logError = (err: unknown) => {
    log.error({ err }, "a delivery failed unexpectedly; it will be retried");
    return [];
  };

  const deliverOne = async ({ org, prepared }: PreparedFor): Promise<void> => {
    const outcome = await postDelivery(deps, prepared.post, aborter.signal);
    deps.onAttempt?.(outcome.kind === "answered" ? `${Math.floor(outcome.code / 100)}xx` : outcome.error, outcome.duration_ms / 1000);
    await settler.add(org, { prepared, outcome });
  };

  const deliverAll = (prepared: readonly PreparedFor[]) =>
    Promise.all(
      prepared.map((one) =>
        deliverOne(one)
          .catch(logError)
          .finally(() => release(1)),
      ),
    );

  const deliverOfOrg = async (org: OrgId, ids: readonly DeliveryId[]): Promise<void> => {
    const prepared = await prepareAttempts(deps, org, ids).catch(logError);
    release(ids.length - prepared.length);
    await deliverAll(prepared.map((one) => ({ org, prepared: one })));
  };

  const deliverBatch = async (due: readonly Due[]): Promise<void> => {
    const { prepared, left } = await prepareTogether(deps, due).catch((err) => {
      // What one organization has must not stop the others.
      log.error({ err }, "could not prepare deliveries together; each organization is tried separately");
      return { prepared: [], left: due };
    });
    await Promise.all([deliverAll(prepared), ...byOrg(left).map(([org, ids]) => deliverOfOrg(org, ids))]);
  };

  const takeDeliveries = async (): Promise<void> => {
    const free = PER_WORKER - taken;
    if (free === 0 || !(await deps.mayLeave())) return;
    const due = await deps.db.system((tx) => takeDue(tx, { limit: free, perEndpoint: PER_ENDPOINT, perOrg: PER_ORG }, LEASE_SECONDS));
    if (due.length === 0) return;
    taken += due.length;
    const batch = deliverBatch(due).finally(() => batches.delete(batch));
    batches.add(batch);
  };

  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        wake = () => undefined;
        clearTimeout(timer);
        setTimeout(resolve, REST_MS);
      };
    });

  const run = async (): Promise<void> => {
    while (!stopping) {
      const failed = await takeDeliveries().then(
        () => {
          turned_at = Date.now();
          return false;
        },
        (err) => {
          log.error({ err }, "could not take due deliveries");
          return true;
        },
      );
      if (!stopping) await wait(failed ? RETRY_MS : POLL_MS);
    }
  };
  const running = run();

  return {
    turnedAt: () => turned_at,
    async stop() {
      stopping = true;
      wake();
      await running;
      const timer = setTimeout(() => aborter.abort(), STOP_MS);
      await Promise.all(batches);
      clearTimeout(timer);
    },
  };
}

function byOrg(due: readonly Due[]): [OrgId, DeliveryId[]][] {
  const orgs = new Map<OrgId, DeliveryId[]>();
  for (const { org_id, delivery_id } of due) orgs.set(org_id, [...(orgs.get(org_id) ?? []), delivery_id]);
  return [...orgs];
}

const SETTLE_TRIES = 5;

/** Results that arrive while a transaction runs are settled in the next one. */
function makeSettler(deps: WebhookDeps, log: Log) {
  const ofOrg = inBatches<OrgId, Attempted>(async (org, batch) => {
    // Without retries, a short outage of the database would send every event to its receiver again.
    for (let tries = 1; ; tries++) {
      try {
        return await settle(deps, org, batch);
      } catch (err) {
        log.error({ err, deliveries: batch.length }, "could not record the results of deliveries");
        if (tries === SETTLE_TRIES) throw err;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  });
  const left = new Set<AttemptId>();
  const together = inBatches<"all", AttemptedFor>(async (_, batch) => {
    const unsettled = await settleTogether(deps, batch).catch((err) => {
      log.error({ err }, "could not record results together; each organization is tried separately");
      return batch.map(({ attempted }) => attempted.prepared.attempt_id);
    });
    for (const attempt_id of unsettled) left.add(attempt_id);
  });
  return {
    async add(org: OrgId, attempted: Attempted): Promise<void> {
      if (isSuccess(attempted)) {
        await together.add("all", { org, attempted });
        if (!left.delete(attempted.prepared.attempt_id)) return;
      }
      await ofOrg.add(org, attempted);
    },
  };
}
