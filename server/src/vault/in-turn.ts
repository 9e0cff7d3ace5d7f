/**
 * Processes due items one after the other. A failure does not stop the others: the item is due again in the next run, and the errors are
 * thrown at the end. Returns for how many items `act` returned true.
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
