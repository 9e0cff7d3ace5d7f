import pg from "pg";

/**
 * Counts the SQL statements of this process, and kills it with SIGKILL after this many; 0: never. Returns how many there were so far. The
 * last statement has reached the server and its answer this process, which then dies before it can do anything with it.
 * @param {number} last
 * @returns {() => number}
 */
export function dieAfter(last) {
  let count = 0;
  const query = pg.Client.prototype.query;
  pg.Client.prototype.query = /** @type {any} */ (
    function (/** @type {any} */ ...args) {
      /** @type {Promise<unknown> | undefined} */
      // @ts-expect-error: the client that the method is called on
      const sent = query.apply(this, args);
      count += 1;
      if (last > 0 && count === last && typeof sent?.then === "function") {
        const die = () => process.kill(process.pid, "SIGKILL");
        sent.then(die, die);
      }
      return sent;
    }
  );
  return () => count;
}
