type Ended = (operation: string, seconds: number) => void;
type Begin = (operation: string) => { fail(): void; end(): void } | null;

/** The same functions, each of which says how long it took. `except`: those that are passed through. `begin`: what records it besides. */
export function timed<T extends object>(
  target: T,
  except: readonly string[],
  ended: Ended,
  failed: (operation: string) => void,
  begin: Begin = () => null,
): T {
  const wrapped = Object.entries(target).map(([name, value]) => {
    if (typeof value !== "function" || except.includes(name)) return [name, value] as const;
    return [
      name,
      async (...args: unknown[]) => {
        const began = performance.now();
        const span = begin(name);
        try {
          return await (value as (...args: unknown[]) => unknown).apply(target, args);
        } catch (error) {
          failed(name);
          span?.fail();
          throw error;
        } finally {
          ended(name, (performance.now() - began) / 1000);
          span?.end();
        }
      },
    ] as const;
  });
  return Object.fromEntries(wrapped) as T;
}
