import type { PersonRecord } from "@countersign/client/pages";
import { Chip, type Tone } from "../parts.tsx";

const states: Record<PersonRecord["state"], readonly [Tone, string]> = {
  active: ["plain", "In the vault"],
  escrowed: ["waiting", "Being exported"],
  exported: ["plain", "Exported"],
  tampered: ["bad", "Tampered"],
  destroying: ["waiting", "Being destroyed"],
  destroyed: ["plain", "Destroyed"],
  transferred: ["plain", "Released to another vault"],
  papering: ["waiting", "Being replaced by paper"],
  papered: ["plain", "Replaced by paper"],
};

/** Where the authoritative copy is. */
export function CopyState({ state }: Pick<PersonRecord, "state">) {
  const [tone, words] = states[state];
  return <Chip tone={tone}>{words}</Chip>;
}

export const standingWords: Record<NonNullable<PersonRecord["standing"]>, string> = {
  proven: "All checks proven",
  attested: "All checks satisfied, some attested only",
  not_passed: "Not all checks satisfied",
  left: "The copy left this vault",
  destroyed: "The copy was destroyed",
  not_assessed: "Not graded",
};
