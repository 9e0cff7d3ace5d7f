import { randomUUID } from "node:crypto";
import type { Db } from "./connect.ts";
import { BEAT_SECONDS, forgetProcess, noteProcess, type Program } from "./heartbeats.ts";

export interface Heartbeat {
  stop(): Promise<void>;
}

/** Of a process that serves; a worker has its own. Rejects if the first one fails. */
export async function startHeartbeat(db: Db, program: Program, onError: (error: unknown) => void): Promise<Heartbeat> {
  const process = `serve-${randomUUID()}`;
  const beat = () => db.system((tx) => noteProcess(tx, process, program));
  await beat();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const next = (): void => {
    timer = setTimeout(() => {
      running = beat()
        .catch(onError)
        .then(() => {
          if (!stopped) next();
        });
    }, BEAT_SECONDS * 1_000);
  };
  next();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
      await db.system((tx) => forgetProcess(tx, process));
    },
  };
}
