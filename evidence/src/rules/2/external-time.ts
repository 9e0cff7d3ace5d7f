import type { Facts2, TimeMark } from "../../facts-2.ts";
import { readVkey } from "../../note.ts";
import { isInWindow } from "../1/checks/06-audit-trail.ts";
import { counted, lastStoring } from "../1/checks/wording.ts";

/** The earliest time at which a party outside had seen the storing. `isPrompt`: within 24 hours. */
export type ExternalTime = { readonly at: string; readonly words: string; readonly isPrompt: boolean };

/** The earliest of the valid time stamps and of the moment at which enough witnesses had signed; null if there is neither. */
export function externalTime(facts: Pick<Facts2, "times" | "log" | "chain">): ExternalTime | null {
  const stored = lastStoring(facts)?.at ?? "";
  const token = valid(facts, "token")[0];
  const seen = [
    ...(token === undefined ? [] : [{ at: token.at, words: `time stamp of ${token.by} at ${token.at}` }]),
    ...witnessed(facts),
  ].sort((a, b) => (a.at < b.at ? -1 : 1))[0];
  return seen === undefined ? null : { ...seen, isPrompt: isInWindow(seen.at, stored) };
}

function witnessed(facts: Pick<Facts2, "times" | "log">): { at: string; words: string }[] {
  const { witness_quorum } = facts.log;
  const firstOf = new Map<string, TimeMark>();
  for (const mark of valid(facts, "cosignature")) if (!firstOf.has(witnessOf(mark))) firstOf.set(witnessOf(mark), mark);
  const last = [...firstOf.values()][Math.max(witness_quorum, 1) - 1];
  return last === undefined
    ? []
    : [{ at: last.at, words: `${counted(Math.max(witness_quorum, 1), "witness", "witnesses")} at ${last.at}` }];
}

/** A witness is its public key, whatever names it is given. */
const witnessOf = ({ by }: TimeMark): string => Buffer.from(readVkey(by)?.public_key ?? by).toString("hex");

const valid = ({ times }: Pick<Facts2, "times">, kind: TimeMark["kind"]): TimeMark[] =>
  times.filter((mark) => mark.valid && mark.kind === kind).sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
