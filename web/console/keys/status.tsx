import { Chip } from "../parts/chip.tsx";
import type { Key } from "./api.ts";

export function KeyStatus({ of }: { of: Key }) {
  if (of.status === "deactivated") return <Chip tone="bad">Deactivated</Chip>;
  return of.previous_key_expires_at === null ? <Chip tone="good">Active</Chip> : <Chip tone="waiting">Being rotated</Chip>;
}
