import { iso } from "../../http/shapes.ts";
import type { Registry } from "./registry.ts";
import type { SetRegistry } from "./set-registry.ts";
import type { Waiting } from "./store.ts";

export const presentRegistry = (registry: Registry | null, { waiting, last_error }: Waiting) => ({
  registry:
    registry === null
      ? null
      : {
          url: registry.url,
          mode: registry.mode,
          kinds: [...registry.kinds],
          created_at: iso(registry.created_at),
          updated_at: iso(registry.updated_at),
        },
  waiting,
  last_error,
});

export const presentSetRegistry = ({ registry, secret, ...waiting }: SetRegistry) => ({ ...presentRegistry(registry, waiting), secret });
