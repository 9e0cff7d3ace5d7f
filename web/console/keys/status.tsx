import type { ApiKey } from "@countersign/client/types";
import { Chip } from "../parts/chip.tsx";

export function KeyStatus({ of }: { of: ApiKey }) {
  if (of.status === "deactivated") return <Chip tone="bad">Deactivated</Chip>;
  return of.previous_key_expires_at === null ? <Chip tone="good">Active</Chip> : <Chip tone="waiting">Rotating</Chip>;
}
