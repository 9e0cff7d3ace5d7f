/**
 * What is due, one after the other. One that fails must not keep the others waiting for ever: it is tried again with the next run, and
 * what failed is thrown when all had their turn. Says how many did something.
 */
export async function inTurn<T>(due: readonly T[], act: (one: T) => Promise<boolean>): Promise<number> {
  let acted = 0;
  const failures: unknown[] = [];
  for (const one of due) {
    try {
      if (await act(one)) acted++;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${due.length} failed`);
  return acted;
}
