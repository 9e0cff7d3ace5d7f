import { AsyncLocalStorage } from "node:async_hooks";
import type { Db } from "../src/db/connect.ts";
import type { Features } from "../src/features.ts";

/**
 * Enforces rule 7 of ARCHITECTURE.md during tests: nothing slow inside a transaction. The database marks the async context of each
 * transaction, and calls that leave the process are refused in it. The service itself runs without this.
 */

const inside = new AsyncLocalStorage<true>();

/** The same database, which marks the code that runs inside its transactions. */
export const markingTransactions = (db: Db): Db => ({
  ...db,
  tx: (org, run) => db.tx(org, (tx) => inside.run(true, () => run(tx))),
  system: (run) => db.system((tx) => inside.run(true, () => run(tx))),
  enclosing: (org, run) => db.enclosing(org, (tx) => inside.run(true, () => run(tx))),
});

/** The same object, but its functions throw inside a transaction, except those that are allowed there. */
export function refusingInside<T extends object>(name: string, peer: T, allowed: readonly string[] = []): T {
  return new Proxy(peer, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function" || allowed.includes(String(key))) return value;
      return (...args: unknown[]) => {
        if (inside.getStore() === true)
          throw new Error(`${name}.${String(key)} was called inside a transaction. Call it before: ARCHITECTURE.md, rule 7`);
        return Reflect.apply(value, target, args);
      };
    },
  });
}

/** Requests to other machines, such as a time-stamp authority, are refused too. The tests' own requests are not inside a transaction. */
const fetchAnywhere = globalThis.fetch;
globalThis.fetch = (...args) => {
  if (inside.getStore() === true) throw new Error("fetch was called inside a transaction. Call it before: ARCHITECTURE.md, rule 7");
  return fetchAnywhere(...args);
};

/** Every feature holds these objects, so their functions are replaced in place. */
export function refuseSlowWork({ storage, mail, sso }: Features): void {
  Object.assign(sso, refusingInside("an identity provider", { fetch: sso.fetch }));
  // The sweep removes bytes while it holds the lock of their row. Without the lock, bytes that are stored again in the meantime would be
  // lost.
  Object.assign(storage, { blobs: refusingInside("the blob store", storage.blobs, ["remove"]) });
  if (mail.smtp !== null) Object.assign(mail, { smtp: refusingInside("the mail server", mail.smtp, ["close"]) });
}
