import type { Read } from "../db/sql.ts";

/** The values of the three X-RateLimit headers. `reset`: the Unix time in seconds at which the full quota is back if no request is made. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: number;
}

export function quotaHeaders(quota: Quota): Record<string, string> {
  return {
    "x-ratelimit-limit": String(quota.limit),
    "x-ratelimit-remaining": String(quota.remaining),
    "x-ratelimit-reset": String(quota.reset),
  };
}

export interface Taken extends Quota {
  readonly accepted: boolean;
}

/** Counts one request of `subject` in the rolling window, unless the quota is used up. Works across all processes. */
export async function takeQuota(read: Read, subject: string, limit: number, windowSeconds: number): Promise<Taken> {
  const { rows } = await read.query<TakenRow>({
    name: "take-quota",
    text: "select accepted, remaining, reset_at from take_quota($1, $2, make_interval(secs => $3))",
    values: [subject, limit, windowSeconds],
  });
  return takenIn(rows, limit);
}

export interface TakenRow {
  readonly accepted: boolean;
  readonly remaining: number;
  readonly reset_at: string;
}

export function takenIn([row]: readonly TakenRow[], limit: number): Taken {
  if (row === undefined) throw new Error("take_quota returned no row");
  return { accepted: row.accepted, limit, remaining: row.remaining, reset: Number(row.reset_at) };
}

/** Removes the latest request of `subject` from the count. */
export async function refundQuota(read: Read, subject: string): Promise<void> {
  await read.query({ name: "give-back-quota", text: "select give_back_quota($1)", values: [subject] });
}

// Guessing a key of 160 random bits is hopeless at any rate. This limit keeps a broken client from filling the log.
export const REFUSALS_PER_MINUTE = 60;

// Addresses that one process remembers, so that a flood of refusals does not cost a statement each. The oldest is dropped first.
const MAX_REMEMBERED = 10_000;

/** Counts refused credentials per address. It never refuses a valid credential. */
export class Refusals {
  readonly #known = new Map<string, Taken>();

  /** Counts a refusal. If it is not accepted, the response is 429 instead of 401. */
  async count(read: (run: (read: Read) => Promise<Taken>) => Promise<Taken>, ip: string): Promise<Taken> {
    const known = this.#known.get(ip);
    if (known !== undefined && !known.accepted && known.reset > Date.now() / 1000) return known;
    const taken = await read((connection) => takeQuota(connection, `refused:${ip}`, REFUSALS_PER_MINUTE, 60));
    this.#remember(ip, taken);
    return taken;
  }

  /** The last known quota of the address, for responses without a checked credential. */
  peek(ip: string): Quota {
    const known = this.#known.get(ip);
    const now = Math.ceil(Date.now() / 1000);
    return known === undefined || known.reset <= now ? { limit: REFUSALS_PER_MINUTE, remaining: REFUSALS_PER_MINUTE, reset: now } : known;
  }

  #remember(ip: string, taken: Taken): void {
    this.#known.delete(ip);
    this.#known.set(ip, taken);
    const oldest = this.#known.keys().next().value;
    if (this.#known.size > MAX_REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
  }
}
