import type { ApiKey } from "@countersign/client/types";
import { Chip } from "../parts/chip.tsx";
import { en as words } from "../words/keys/en.ts";

export function KeyStatus({ of }: { of: ApiKey }) {
  if (of.status === "deactivated") return <Chip tone="plain">{words.states.deactivated}</Chip>;
  if (of.status === "expired") return <Chip tone="bad">{words.states.expired}</Chip>;
  return of.previous_key_expires_at === null ? (
    <Chip tone="good">{words.states.active}</Chip>
  ) : (
    <Chip tone="waiting">{words.states.rotating}</Chip>
  );
}
