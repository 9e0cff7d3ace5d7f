/** The members that differ from what the form showed at first. A save of only these keeps what another window has changed since. */
export function changedIn<T extends object>(after: T, before: Partial<Record<keyof T, unknown>>): Partial<T> {
  const isChanged = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof T]);
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<T>;
}
