import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";

export interface Part<Props> {
  /** Shows nothing until it is there. */
  readonly View: FunctionComponent<Props>;
  /** So that it is there when it is wanted. Failing is no harm yet. */
  readonly fetchAhead: () => void;
}

/** A part of the page that is fetched on its own. `onMissing`: it is wanted and cannot be had; the service may have been upgraded since the page was opened. */
export function partOf<Props extends object>(load: () => Promise<FunctionComponent<Props>>, onMissing: () => void): Part<Props> {
  const loaded = signal<FunctionComponent<Props> | null>(null);
  const fetch = async () => {
    if (loaded.value !== null) return;
    const view = await load();
    loaded.value = view;
  };
  return {
    View: (props) => {
      useEffect(() => void fetch().catch(onMissing), []);
      const Loaded = loaded.value;
      return Loaded === null ? null : <Loaded {...props} />;
    },
    fetchAhead: () => void fetch().catch(() => undefined),
  };
}
