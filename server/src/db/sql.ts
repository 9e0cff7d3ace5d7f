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

/** One transaction of one org. `now` is its start by the database's clock. */
export interface Tx extends Read {
  readonly now: Date;
}

/** A transaction without an org. Operations that change several orgs (such as a new password) enter each with `forOrg`. */
export interface SystemTx extends Tx {
  forOrg<T>(org: OrgId, run: (tx: Tx) => Promise<T>): Promise<T>;
}
