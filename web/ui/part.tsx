import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";

export interface Part<Props> {
  /** Renders nothing until it is loaded. */
  readonly View: FunctionComponent<Props>;
  /** Loads the part before it is needed. A failure here is ignored. */
  readonly fetchAhead: () => void;
}

/** A part of the page with its own chunk. `onMissing` is called if the chunk is needed but cannot be loaded, for example after an upgrade of the server. */
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
