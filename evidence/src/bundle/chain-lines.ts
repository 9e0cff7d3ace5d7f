import { canonicalize } from "../canonical.ts";
import { canonicalValue } from "../checkpoint.ts";
import type { Link } from "../verify-chain.ts";

/** `chain.jsonl`: one link per line, each in canonical form and terminated by a line feed. */
export const writeChain = (links: readonly Link[]): string => links.map(({ entry, data }) => `${canonicalize({ data, entry })}\n`).join("");

/**
 * Parses the links; check them with `firstFault` before trusting them. Returns the number of the first invalid line, counted from 1, if
 * there is one.
 */
export function readChain(bytes: Uint8Array): { readonly links: Link[] } | { readonly line: number } {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const links: Link[] = [];
  for (let from = 0; from < file.length; ) {
    const to = file.indexOf("\n", from);
    const value = to === -1 ? undefined : canonicalValue(file.subarray(from, to));
    if (!isLink(value)) return { line: links.length + 1 };
    links.push(value);
    from = to + 1;
  }
  return { links };
}

function isLink(value: unknown): value is Link {
  return typeof value === "object" && value !== null && Object.keys(value).join() === "data,entry";
}
