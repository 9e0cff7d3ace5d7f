import pg from "pg";
import { locks, tryHoldLock } from "../db/locks.ts";

// Prometheus usually asks every 15 or 30 seconds.
const COUNT_MS = 15_000;

export interface GaugeOptions<G> {
  /** the queue login, with a direct connection: the lock belongs to it */
  readonly url: string;
  readonly read: () => Promise<readonly G[]>;
  /** null: this worker does not count */
  readonly set: (values: readonly G[] | null) => void;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
}

/** Counts for the whole installation, in one worker at a time. Another one takes over when its connection ends. */
export function startGauges<G>({ url, read, set, onError, everyMs = COUNT_MS }: GaugeOptions<G>): { stop(): Promise<void> } {
  let holder: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  set(null);

  function release(): void {
    holder = null;
    set(null);
  }

  async function hold(): Promise<boolean> {
    if (holder !== null) return true;
    const client = new pg.Client({ connectionString: url, application_name: "countersign gauges" });
    const lost = (): void => {
      if (holder === client) release();
    };
    client.on("error", lost).once("end", lost);
    try {
      await client.connect();
      if (await tryHoldLock(client, locks.gauges)) {
        holder = client;
        return true;
      }
    } catch (error) {
      await client.end();
      throw error;
    }
    await client.end();
    return false;
  }

  async function turn(): Promise<void> {
    try {
      if (await hold()) set(await read());
    } catch (error) {
      set(null);
      onError(error);
    }
  }

  let running = Promise.resolve();
  const next = (): void => {
    running = turn().then(() => {
      if (!stopped) timer = setTimeout(next, everyMs);
    });
  };
  next();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
      await holder?.end();
    },
  };
}
