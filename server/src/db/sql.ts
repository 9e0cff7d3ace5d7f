import type { QueryResultRow } from "pg";
import sqlTag, { type RawValue, type Sql } from "sql-template-tag";
import type { OrgId } from "../shared/ids.ts";

export { default as sql, empty, join, raw, type Sql } from "sql-template-tag";

/** A statement that PostgreSQL parses and plans once per connection. For statements that every request runs. */
export interface Named {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Names a statement whose text is the same in every call. With row-level security, parsing and planning take most of the time of a small
 * statement. It must list its columns: a connection that has planned `*` fails once a migration adds a column.
 * @example read.query(named("find-org")`select name from orgs where org_id = ${org}`)
 */
export const named =
  (name: string) =>
  (strings: readonly string[], ...parameters: readonly RawValue[]): Named => {
    const { text, values } = sqlTag(strings, ...parameters);
    return { name, text, values };
  };

export interface Rows<R> {
  readonly rows: R[];
  readonly rowCount: number;
}

/** Runs statements for exactly one org (or, from `system()`, for none). */
export interface Read {
  query<R extends QueryResultRow>(statement: Sql | Named): Promise<Rows<R>>;
}

/** A connection for an authentication and the reads after it. */
export interface Leased extends Read {
  /**
   * Between transactions a pooler gives the connection to others, so nothing may be set on it beyond a transaction. An authentication then
   * sets no organization; `enter` does.
   */
  readonly isShared: boolean;
  /**
   * After an authentication: what is read from here on belongs to the organization. On a shared connection this begins a transaction, and
   * ends the one before; otherwise it does nothing.
   */
  enter(org: OrgId): Promise<void>;
}

/** One transaction of one org. `now` is its start by the database's clock. */
export interface Tx extends Read {
  readonly now: Date;
}

/** A transaction without an org. Operations that change several orgs (such as a new password) enter each with `forOrg`. */
export interface SystemTx extends Tx {
  forOrg<T>(org: OrgId, run: (tx: Tx) => Promise<T>): Promise<T>;
}
