import type { Db } from "../db/connect.ts";
import type { PipelineDeps } from "./vault.ts";

/** For a dry run: every transaction is rolled back, so nothing that an evaluation writes on its way stays. */
export function withoutWriting(deps: PipelineDeps): PipelineDeps {
  const db = rollingBack(deps.db);
  const seals = { ...deps.seals, db };
  return { ...deps, db, seals, log: { ...deps.log, db, seals }, storage: { ...deps.storage, db } };
}

class RolledBack {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

function rollingBack(db: Db): Db {
  return {
    ...db,
    tx: (org, run) => resultOf((end) => db.tx(org, async (tx) => end(await run(tx)))),
    system: (run) => resultOf((end) => db.system(async (tx) => end(await run(tx)))),
  };
}

/** A transaction rolls back if it throws, so the result leaves it as an exception. */
async function resultOf<T>(run: (end: (value: T) => never) => Promise<never>): Promise<T> {
  try {
    return await run((value) => {
      throw new RolledBack(value);
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.value as T;
    throw error;
  }
}
