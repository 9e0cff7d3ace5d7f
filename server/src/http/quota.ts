import type { Read } from "../db/sql.ts";

/** What the three X-RateLimit headers say. `reset`: the Unix second at which the full quota is back if no call is made. */
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

/** Counts one act of `subject` in the rolling window, unless the quota is used up. Holds over all processes. */
export async function takeQuota(read: Read, subject: string, limit: number, windowSeconds: number): Promise<Taken> {
  const { rows } = await read.query<{ accepted: boolean; remaining: number; reset_at: string }>({
    name: "take-quota",
    text: "select accepted, remaining, reset_at from take_quota($1, $2, make_interval(secs => $3))",
    values: [subject, limit, windowSeconds],
  });
  const row = rows[0];
  if (row === undefined) throw new Error("take_quota answered no row");
  return { accepted: row.accepted, limit, remaining: row.remaining, reset: Number(row.reset_at) };
}

/** Takes back the latest act of `subject`. */
export async function giveBackQuota(read: Read, subject: string): Promise<void> {
  await read.query({ name: "give-back-quota", text: "select give_back_quota($1)", values: [subject] });
}

// Guessing a key of 160 random bits is hopeless at any rate; this keeps a broken client from filling the log.
export const REFUSALS_PER_MINUTE = 60;

// Addresses remembered by one process, so that a flood of refusals costs no statement each; the oldest is forgotten first.
const MAX_REMEMBERED = 10_000;

/** Refused credentials per address. A valid credential is never refused by it. */
export class Refusals {
  readonly #known = new Map<string, Taken>();

  /** Counts a refusal; not accepted means: answer 429 instead of 401. */
  async count(read: (run: (read: Read) => Promise<Taken>) => Promise<Taken>, ip: string): Promise<Taken> {
    const known = this.#known.get(ip);
    if (known !== undefined && !known.accepted && known.reset > Date.now() / 1000) return known;
    const taken = await read((connection) => takeQuota(connection, `refused:${ip}`, REFUSALS_PER_MINUTE, 60));
    this.#remember(ip, taken);
    return taken;
  }

  /** For answers that are about no credential: what this process last knew of the address. */
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
