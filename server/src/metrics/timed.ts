type Ended = (operation: string, seconds: number) => void;

/** The same functions, each of which says how long it took. `except`: those that are passed through. */
export function timed<T extends object>(target: T, except: readonly string[], ended: Ended, failed: (operation: string) => void): T {
  const wrapped = Object.entries(target).map(([name, value]) => {
    if (typeof value !== "function" || except.includes(name)) return [name, value] as const;
    return [
      name,
      async (...args: unknown[]) => {
        const began = performance.now();
        try {
          return await (value as (...args: unknown[]) => unknown).apply(target, args);
        } catch (error) {
          failed(name);
          throw error;
        } finally {
          ended(name, (performance.now() - began) / 1000);
        }
      },
    ] as const;
  });
  return Object.fromEntries(wrapped) as T;
}
