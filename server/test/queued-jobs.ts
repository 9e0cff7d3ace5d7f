import type { Db } from "../src/db/connect.ts";
import type { Tx } from "../src/db/sql.ts";

/**
 * The same database, which calls `queued` after each commit of a job. So a test's job leaves the outbox at once, and no poll that is
 * frequent enough for tests occupies the database the whole time.
 */
export function tellingOfJobs(db: Db, queued: () => void): Db {
  function telling<T>(run: (noticing: <R extends Tx>(tx: R) => R) => Promise<T>): Promise<T> {
    let isQueued = false;
    const noticing = <R extends Tx>(tx: R): R => ({
      ...tx,
      query: (statement) => {
        isQueued ||= statement.text.includes("insert into outbox");
        return tx.query(statement);
      },
    });
    return run(noticing).then((result) => {
      if (isQueued) queued();
      return result;
    });
  }
  return {
    ...db,
    tx: (org, run) => telling((noticing) => db.tx(org, (tx) => run(noticing(tx)))),
    system: (run) =>
      telling((noticing) =>
        db.system((tx) => run({ ...noticing(tx), forOrg: (org, inside) => tx.forOrg(org, (ofOrg) => inside(noticing(ofOrg))) })),
      ),
    // A transaction that joins this one ends before the commit.
    enclosing: (org, run) =>
      db.enclosing(org, run).then((result) => {
        queued();
        return result;
      }),
  };
}
