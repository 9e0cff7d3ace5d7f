import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { isId, type OrgId } from "../shared/ids.ts";
import { DatabaseAway, isAway, isRetryable } from "./errors.ts";
import { FENCED, FenceDown } from "./fence.ts";
import { type Named, type Read, type Rows, type Sql, type SystemTx, sql, type Tx } from "./sql.ts";

// A deadlock's loser has had no effect and is run again; more than this and something is wrong with the lock order.
const MAX_RUNS = 3;
// Losers that come back at the same moment meet again; each waits a different while.
const MAX_PAUSE_MS = 50;

export interface DbOptions {
  /** of the login that serves: one that row-level security holds for */
  readonly url: string;
  readonly poolSize?: number;
  readonly onError?: (error: Error) => void;
  /** told once, when row-level security is found not to hold; from then on nothing is asked of the database any more */
  readonly onFenceDown?: (error: FenceDown) => void;
}

/**
 * The database as features see it. The pool is private: a connection is had through `lease` (whose first statement must set
 * the org: authentication), `tx(org)` or `system()`, so none is ever used with the org of the request before.
 */
export interface Db {
  /** All of `run` commits or nothing does. Runs it again, at most three times in all, after a deadlock. */
  tx<T>(org: OrgId, run: (tx: Tx) => Promise<T>): Promise<T>;
  /** A transaction of no org: it sees no row of any org table, only the doors. */
  system<T>(run: (tx: SystemTx) => Promise<T>): Promise<T>;
  /** One connection for an authentication statement and the simple reads after it: no begin, no commit. */
  lease<T>(run: (read: Read) => Promise<T>): Promise<T>;
  /** `tx`, and every `tx` of the same org inside `run` joins it: what wraps an operation commits with it. */
  enclosing<T>(org: OrgId, run: (tx: Tx) => Promise<T>): Promise<T>;
  stats(): { total: number; idle: number; waiting: number };
  end(): Promise<void>;
}

export function connectDb(options: DbOptions): Db {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    // No `options`: a pooler may drop them without a word. What a connection needs is set on its login (logins.ts).
    application_name: "countersign",
  });
  const onError = options.onError ?? (() => undefined);
  // Idle clients report through the pool, checked-out ones themselves; without both listeners the process dies with PostgreSQL.
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));

  let down: FenceDown | null = null;
  /** Anything but a true is as bad as a false. */
  function requireFenced(fenced: unknown): void {
    if (fenced === true) return;
    if (down === null) {
      down = new FenceDown();
      options.onFenceDown?.(down);
    }
    throw down;
  }

  const joined = new AsyncLocalStorage<{ org: OrgId; tx: Tx }>();

  async function connected<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (down !== null) throw down;
    const client = await pool.connect().catch(away);
    let broken = true;
    try {
      const result = await use(client);
      broken = false;
      return result;
    } catch (error) {
      broken = error instanceof DatabaseAway || error instanceof RollbackFailed || error instanceof FenceDown;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async function once<T>(setOrg: string, run: (tx: Tx) => Promise<T>): Promise<T> {
    return connected(async (client) => {
      try {
        const begun = await client.query(`begin; ${setOrg}; select now(), ${FENCED}`).catch(away);
        const { now, fenced } = (begun as unknown as pg.QueryResult<Begun>[])[2]?.rows[0] ?? impossible();
        requireFenced(fenced);
        const result = await run({ now, query: readOn(client).query });
        await client.query("commit").catch(away);
        return result;
      } catch (error) {
        if (!(error instanceof DatabaseAway)) {
          await client.query("rollback").catch((cause) => {
            // A database that went away has rolled back by itself; the caller may try again.
            throw isAway(cause) ? new DatabaseAway(cause) : new RollbackFailed("rollback failed", { cause });
          });
        }
        throw error;
      }
    });
  }

  async function repeated<T>(setOrg: string, run: (tx: Tx) => Promise<T>): Promise<T> {
    for (let runs = 1; ; runs++) {
      try {
        return await once(setOrg, run);
      } catch (error) {
        if (runs >= MAX_RUNS || !isRetryable(error)) throw error;
        await delay(Math.random() * MAX_PAUSE_MS * runs);
      }
    }
  }

  /** A second connection while one is held: enough callers at once would wait for each other until all fail. */
  function alone(): undefined {
    if (joined.getStore() !== undefined) throw new Error("inside an enclosing transaction only tx() of its org is allowed");
  }

  return {
    tx(org, run) {
      const ambient = joined.getStore();
      if (ambient === undefined) return repeated(`set local app.org = ${literal(org)}`, run);
      if (ambient.org !== org) throw new Error("a transaction of another org cannot join this one");
      return run(ambient.tx);
    },
    system: (run) =>
      alone() ?? repeated("set local app.org = ''", (tx) => run({ ...tx, forOrg: (org, inside) => visiting(tx, org, inside) })),
    lease: (run) => alone() ?? connected((client) => run(fencedReadOn(client, requireFenced))),
    enclosing: (org, run) => repeated(`set local app.org = ${literal(org)}`, (tx) => joined.run({ org, tx }, () => run(tx))),
    stats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    end: () => pool.end(),
  };
}

interface Begun {
  readonly now: Date;
  readonly fenced: boolean;
}

class RollbackFailed extends Error {}

function readOn(client: pg.PoolClient): Read {
  return {
    async query<R extends pg.QueryResultRow>(statement: Sql | Named): Promise<Rows<R>> {
      const named = "name" in statement ? { name: statement.name } : {};
      const result = await client.query<R>({ ...named, text: statement.text, values: [...statement.values] }).catch(away);
      return { rows: result.rows, rowCount: result.rowCount ?? 0 };
    },
  };
}

/**
 * Nothing is read before it is known that the fence stands. An authentication statement brings the column along; where the first
 * statement does not, one of its own is sent ahead.
 */
function fencedReadOn(client: pg.PoolClient, requireFenced: (fenced: unknown) => void): Read {
  const read = readOn(client);
  let known = false;
  return {
    async query<R extends pg.QueryResultRow>(statement: Sql | Named): Promise<Rows<R>> {
      if (known) return read.query<R>(statement);
      if (!statement.text.includes(FENCED)) {
        requireFenced((await read.query<{ fenced: boolean }>(ASK_FENCED)).rows[0]?.fenced);
        known = true;
        return read.query<R>(statement);
      }
      const result = await read.query<R>(statement);
      // No row, no answer: a credential that is not good. The next statement asks.
      if (result.rows.length > 0) {
        requireFenced(result.rows[0]?.fenced);
        known = true;
      }
      return result;
    },
  };
}

const ASK_FENCED: Named = { name: "fenced", text: `select ${FENCED}`, values: [] };

async function visiting<T>(tx: Tx, org: OrgId, run: (tx: Tx) => Promise<T>): Promise<T> {
  await tx.query(sql`select set_config('app.org', ${org}, true)`);
  const result = await run(tx);
  await tx.query(sql`select set_config('app.org', '', true)`);
  return result;
}

/** `begin` and the org go out in one round trip, which knows no parameters; only an id that matches its pattern gets in. */
function literal(org: OrgId): string {
  if (!isId("org", org)) throw new Error("not an org id");
  return `'${org}'`;
}

function away(error: unknown): never {
  throw isAway(error) ? new DatabaseAway(error) : error;
}

function impossible(): never {
  throw new Error("begin answered without a time");
}
