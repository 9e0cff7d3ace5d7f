import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { isId, isSandbox, type OrgId } from "../shared/ids.ts";
import { isRequest } from "../shared/is-request.ts";
import { Problem } from "../shared/problems.ts";
import { beginSpan, inSpan } from "../shared/trace.ts";
import { DatabaseAway, isRetryable, isUnavailable, PrepareFirst } from "./errors.ts";
import { FENCED, FenceDown } from "./fence.ts";
import { sharingSandbox, trySharingSandbox } from "./locks.ts";
import { type Leased, type Named, named, type Read, type Rows, type Sql, type SystemTx, type Tx } from "./sql.ts";

// A transaction that lost a deadlock had no effect and runs again. If this is not enough, the lock order is wrong.
const MAX_RUNS = 3;
// A transaction needs the key of one organization. More preparations would mean that what was prepared is not found again.
const MAX_PREPARED = 3;
// The pause is random, so that transactions that deadlocked do not deadlock again.
const MAX_PAUSE_MS = 50;

export type Pooling = "session" | "transaction";

export interface DbOptions {
  /** of the serving login, which row-level security applies to */
  readonly url: string;
  readonly poolSize?: number;
  /** `transaction`: there may be a pooler that gives a connection to others between transactions */
  readonly pooling?: Pooling;
  /** Whether statements keep their names. By default they do, except behind a pooler in transaction mode. */
  readonly preparedStatements?: boolean;
  readonly onError?: (error: Error) => void;
  /** for metrics */
  readonly measure?: { ended(seconds: number): void; repeated(): void; fenceFailed(): void };
  /** called once, when row-level security turns out not to apply; from then on no statement is sent to the database */
  readonly onFenceDown?: (error: FenceDown) => void;
}

/**
 * The database as features see it. The pool is private: connections go through `lease` (whose first statement must be the
 * authentication, which sets the org), `tx(org)` or `system()`. So no connection is used with the org of an earlier request.
 */
export interface Db {
  /** Runs `run` in one transaction. After a deadlock it runs again, at most three times in total; after `PrepareFirst` too. */
  tx<T>(org: OrgId, run: (tx: Tx) => Promise<T>): Promise<T>;
  /** A transaction without an org. It sees no rows of the orgs' tables and can only use the doors. */
  system<T>(run: (tx: SystemTx) => Promise<T>): Promise<T>;
  /** One connection for an authentication statement and the simple reads after it, without a transaction unless the connection is shared. */
  lease<T>(run: (read: Leased) => Promise<T>): Promise<T>;
  /**
   * For a door that needs no org: on the connection that the caller holds by `lease` or `enclosing`, or else on one of its own. Callers of
   * `lease` that waited for a second connection could wait for each other.
   */
  near<T>(run: (read: Read) => Promise<T>): Promise<T>;
  /** Like `tx`, but every `tx` of the same org inside `run` joins this transaction, so that everything commits together. */
  enclosing<T>(org: OrgId, run: (tx: Tx) => Promise<T>): Promise<T>;
  stats(): { total: number; idle: number; waiting: number };
  end(): Promise<void>;
}

export function connectDb(options: DbOptions): Db {
  const isShared = options.pooling === "transaction";
  const keepsNames = options.preparedStatements ?? !isShared;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    // No `options`, because a pooler may silently drop them. The settings of a connection belong to its login (logins.ts).
    application_name: "countersign",
  });
  const onError = options.onError ?? (() => undefined);
  // Idle clients emit errors on the pool, checked-out ones on themselves. Without both listeners a PostgreSQL crash ends this process.
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));

  let down: FenceDown | null = null;
  /** Any value other than `true` counts as `false`. */
  function requireFenced(fenced: unknown): void {
    if (fenced === true) return;
    if (down === null) {
      down = new FenceDown();
      options.measure?.fenceFailed();
      options.onFenceDown?.(down);
    }
    throw down;
  }

  const joined = new AsyncLocalStorage<{ org: OrgId; tx: Tx }>();
  const leased = new AsyncLocalStorage<{ readonly read: Read; isHeld: boolean }>();

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

  async function runOnce<T>(org: OrgId | null, run: (tx: Tx) => Promise<T>): Promise<T> {
    return connected(async (client) => {
      try {
        const { now, fenced, closed } = await begin(client, org, true);
        requireFenced(fenced);
        if (closed) throw new Problem("sandbox_resetting");
        const result = await run({ now, query: readOn(client, keepsNames).query });
        await client.query("commit").catch(away);
        return result;
      } catch (error) {
        if (!(error instanceof DatabaseAway)) {
          await client.query("rollback").catch((cause) => {
            // An unavailable database has rolled back, so the caller may try again.
            throw isUnavailable(cause) ? new DatabaseAway(cause) : new RollbackFailed("rollback failed", { cause });
          });
        }
        throw error;
      }
    });
  }

  async function runWithRetries<T>(org: OrgId | null, run: (tx: Tx) => Promise<T>): Promise<T> {
    const began = performance.now();
    return inSpan("transaction", () => runRepeatedly(org, run)).finally(() => options.measure?.ended((performance.now() - began) / 1000));
  }

  async function runRepeatedly<T>(org: OrgId | null, run: (tx: Tx) => Promise<T>): Promise<T> {
    for (let runs = 1, prepared = 0; ; ) {
      try {
        return await runOnce(org, run);
      } catch (error) {
        if (error instanceof PrepareFirst && prepared < MAX_PREPARED) {
          prepared++;
          await error.prepare();
          continue;
        }
        if (runs >= MAX_RUNS || !isRetryable(error)) throw error;
        options.measure?.repeated();
        await delay(Math.random() * MAX_PAUSE_MS * runs);
        runs++;
      }
    }
  }

  /** Forbids a second connection while one is in use: with enough callers, all would wait for each other until they fail. */
  function refuseNested(): undefined {
    if (joined.getStore() !== undefined) throw new Error("inside an enclosing transaction only tx() of its org is allowed");
  }

  function lease<T>(run: (read: Leased) => Promise<T>): Promise<T> {
    return connected(async (client) => {
      const entering = isShared ? enteringOn(client, requireFenced) : ENTERED_BY_AUTHENTICATION;
      const read = { ...fencedReadOn(readOn(client, keepsNames), requireFenced), isShared, enter: entering.enter };
      const held = { read, isHeld: true };
      try {
        const result = await leased.run(held, () => run(read));
        await entering.leave();
        return result;
      } catch (error) {
        // Counters are kept also when the request is refused, as they are without a transaction.
        if (!(error instanceof DatabaseAway || error instanceof FenceDown)) await entering.leave();
        throw error;
      } finally {
        held.isHeld = false;
      }
    });
  }

  return {
    tx(org, run) {
      const ambient = joined.getStore();
      if (ambient === undefined) return runWithRetries(requireOrg(org), run);
      if (ambient.org !== org) throw new Error("a transaction of another org cannot join this one");
      return run(ambient.tx);
    },
    system: (run) => refuseNested() ?? runWithRetries(null, (tx) => run({ ...tx, forOrg: (org, inside) => runInOrg(tx, org, inside) })),
    lease: (run) => refuseNested() ?? lease(run),
    near(run) {
      const [ambient, held] = [joined.getStore(), leased.getStore()];
      if (ambient !== undefined) return run(ambient.tx);
      return held?.isHeld === true ? run(held.read) : lease(run);
    },
    enclosing: (org, run) => runWithRetries(requireOrg(org), (tx) => joined.run({ org, tx }, () => run(tx))),
    stats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    end: () => pool.end(),
  };
}

interface Begun {
  readonly now: Date;
  readonly fenced: boolean;
}

function requireOrg(org: OrgId): OrgId {
  if (!isId("org", org)) throw new Error("not an org id");
  return org;
}

/** An id as a part of a statement. */
const literal = (org: OrgId): string => `'${requireOrg(org)}'`;

/**
 * Begins a transaction of an organization, or of none. In one round trip, which allows no parameters, so only an id that matches the pattern
 * is inserted. `writes`: it can write, so a sandbox is not reset meanwhile. `closed`: a request wants to write in one that is being reset.
 */
async function begin(client: pg.PoolClient, org: OrgId | null, writes: boolean): Promise<Begun & { readonly closed: boolean }> {
  const id = org === null ? "''" : literal(org);
  const entering = `begin; select set_config('app.org', ${id}, true), now(), ${FENCED}`;
  const begun = await client.query(writes && org !== null && isSandbox(org) ? `${entering}; ${guarding(org)}` : entering).catch(away);
  const [, entered, ...guarded] = begun as unknown as pg.QueryResult[];
  const first: Begun = entered?.rows[0] ?? impossible();
  return { ...first, closed: guarded.some(({ rows }) => rows[0]?.closed === true) };
}

/** Each is a statement of its own, so that the second sees what was committed before the lock was taken. A job waits instead. */
const guarding = (org: OrgId): string =>
  isRequest()
    ? `select not ${trySharingSandbox(org)} as closed; select resetting_since is not null as closed from orgs where org_id = ${literal(org)}`
    : `select ${sharingSandbox(org)}`;

class RollbackFailed extends Error {}

interface Entering {
  enter(org: OrgId): Promise<void>;
  leave(): Promise<void>;
}

const ENTERED_BY_AUTHENTICATION: Entering = { enter: async () => undefined, leave: async () => undefined };

/** Transactions of one org after another, on a connection that keeps nothing between them. */
function enteringOn(client: pg.PoolClient, requireFenced: (fenced: unknown) => void): Entering {
  let isOpen = false;
  const leave = async () => {
    if (!isOpen) return;
    isOpen = false;
    await client.query("commit").catch((cause) => {
      throw isUnavailable(cause) ? new DatabaseAway(cause) : new RollbackFailed("commit failed", { cause });
    });
  };
  return {
    async enter(org) {
      await leave();
      isOpen = true;
      const { fenced } = await begin(client, org, false);
      requireFenced(fenced);
    },
    leave,
  };
}

/** `keepsNames`: false if the next statement can reach another connection of the server, which does not know the name. */
function readOn(client: pg.PoolClient, keepsNames: boolean): Read {
  return {
    async query<R extends pg.QueryResultRow>(statement: Sql | Named): Promise<Rows<R>> {
      const name = "name" in statement ? statement.name : null;
      const span = beginSpan("statement", name);
      try {
        const named = keepsNames && name !== null ? { name } : {};
        const result = await client.query<R>({ ...named, text: statement.text, values: [...statement.values] }).catch(away);
        return { rows: result.rows, rowCount: result.rowCount ?? 0 };
      } catch (error) {
        span?.fail();
        throw error;
      } finally {
        span?.end();
      }
    },
  };
}

/**
 * Reads nothing before it is known that row-level security applies. An authentication statement includes the column; if the first
 * statement does not, a separate one is sent before it.
 */
function fencedReadOn(read: Read, requireFenced: (fenced: unknown) => void): Read {
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
      // No row means that the credential is not valid. The next statement checks again.
      if (result.rows.length > 0) {
        requireFenced(result.rows[0]?.fenced);
        known = true;
      }
      return result;
    },
  };
}

const ASK_FENCED: Named = { name: "fenced", text: `select ${FENCED}`, values: [] };

async function runInOrg<T>(tx: Tx, org: OrgId, run: (tx: Tx) => Promise<T>): Promise<T> {
  await tx.query(named("enter-org")`select set_config('app.org', ${org}, true)`);
  const result = await run(tx);
  await tx.query(named("leave-org")`select set_config('app.org', '', true)`);
  return result;
}

function away(error: unknown): never {
  throw isUnavailable(error) ? new DatabaseAway(error) : error;
}

function impossible(): never {
  throw new Error("the begin statement returned no time");
}
