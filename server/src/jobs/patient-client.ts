import pg from "pg";
import { isAway } from "../db/errors.ts";

// What the queue's library waits for and tries again: "the database system is starting up".
const TRIED_AGAIN = "57P03";

/**
 * A connection for the queue's library. When the database goes away while a job's end is written down, the library gives up at once
 * and leaves the rejection to nobody, which ends the process. Told that the database is only starting, it tries again until it has.
 */
export class PatientClient extends pg.Client {
  // Both have a form with a promise and one with a callback; what comes back is the base's own.
  override connect(...args: unknown[]): never {
    const [callback] = args as [((error: Error) => void)?];
    if (callback === undefined) return super.connect().catch(soften) as never;
    return super.connect((error: Error) => callback(softened(error))) as never;
  }

  override query(...args: unknown[]): never {
    const result: unknown = Reflect.apply(super.query, this, args);
    return (result instanceof Promise ? result.catch(soften) : result) as never;
  }
}

function soften(error: unknown): never {
  throw softened(error);
}

function softened<E>(error: E): E {
  if (error instanceof Error && isAway(error)) Object.assign(error, { code: TRIED_AGAIN });
  return error;
}
