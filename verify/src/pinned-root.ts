import { WrongUsage } from "./command.ts";
import { readRoot } from "./read-root.ts";

/** What the reader gave with --root. */
export function pinnedRoot(given: string): string {
  const root = readRoot(given);
  if (root === null) throw new WrongUsage("--root must be a SHA-256 hash: 64 hexadecimal digits.");
  return root;
}
