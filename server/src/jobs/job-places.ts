import { type JobName, limitedJobs } from "./catalogue.ts";

/** How many jobs of `limitedJobs` run in a worker. */
export interface JobPlaces {
  /** Waits for a place: two that ask the queue at the same moment can both get the last one. */
  enter(name: JobName): Promise<void>;
  leave(name: JobName): void;
  /** the flags of jobs that would find no place */
  full(): string[];
}

export function makeJobPlaces(): JobPlaces {
  const taken = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();
  const limits = new Map<string, number>(Object.entries(limitedJobs));
  const isFull = (name: string): boolean => (taken.get(name) ?? 0) >= (limits.get(name) ?? Number.POSITIVE_INFINITY);
  const add = (name: string, by: number) => taken.set(name, (taken.get(name) ?? 0) + by);
  return {
    async enter(name) {
      while (isFull(name)) {
        await new Promise<void>((resolve) => waiting.set(name, [...(waiting.get(name) ?? []), resolve]));
      }
      add(name, 1);
    },
    leave(name) {
      add(name, -1);
      const [next, ...others] = waiting.get(name) ?? [];
      waiting.set(name, others);
      next?.();
    },
    full: () => [...limits.keys()].filter(isFull),
  };
}
