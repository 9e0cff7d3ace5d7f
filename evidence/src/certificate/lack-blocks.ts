// What the record does not have, in the sentences that also stand in the evidence bundle as codes.

import { lackSentences, lacksOf } from "../bundle/lacks.ts";
import type { Facts2 as Facts } from "../facts-2.ts";
import type { Link } from "../verify-chain.ts";
import type { Block } from "./document.ts";
import { quiet } from "./wording.ts";

export function lackBlocks(facts: Facts, links: readonly Link[]): Block[] {
  const lacks = lacksOf({ facts, links, times: facts.times });
  return [
    { kind: "heading", level: 1, text: "What this record does not have" },
    ...(lacks.length === 0
      ? [{ kind: "paragraph", words: quiet("None of the gaps that this service reports applies to this record.") } as const]
      : [{ kind: "paragraph", words: quiet("Each line names something that would make the record stronger.") } as const]),
    ...lacks.map((code): Block => ({ kind: "item", mark: "–", words: lackSentences[code] })),
  ];
}
