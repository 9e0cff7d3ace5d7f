import pg from "pg";
import { isUnavailable } from "../db/errors.ts";

// "The database system is starting up". The queue's library retries after this error.
const STARTING_UP = "57P03";

/**
 * A connection for the queue's library. If the database becomes unavailable while the result of a job is recorded, the library fails
 * at once with an unhandled rejection, which ends the process. So every lost connection is reported as a starting database, which the
 * library retries.
 */
export class RetriableClient extends pg.Client {
  // Both methods have a promise form and a callback form, and return what the base class returns.
  override connect(...args: unknown[]): never {
    const [callback] = args as [((error: Error) => void)?];
    if (callback === undefined) return super.connect().catch(throwAsStarting) as never;
    return super.connect((error: Error) => callback(asStarting(error))) as never;
  }

  override query(...args: unknown[]): never {
    const result: unknown = Reflect.apply(super.query, this, args);
    return (result instanceof Promise ? result.catch(throwAsStarting) : result) as never;
  }
}

function throwAsStarting(error: unknown): never {
  throw asStarting(error);
}

function asStarting<E>(error: E): E {
  if (error instanceof Error && isUnavailable(error)) Object.assign(error, { code: STARTING_UP });
  return error;
}
