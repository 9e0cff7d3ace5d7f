import type { ReadonlySignal } from "@preact/signals";

/** Resolves when the signal has a value that fits. */
export function untilSignal<T>(signal: ReadonlySignal<T>, fits: (value: T) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = signal.subscribe((value) => {
      if (!fits(value)) return;
      // The first call comes before `stop` exists.
      queueMicrotask(() => stop());
      resolve();
    });
  });
}
