// The part of an audit chain that an evaluation keeps. Which members of an entry count is decided by the rules, which each have a list.

import type { Json } from "./canonical.ts";
import { type Actor, entryMisfit, type Head } from "./entry.ts";
import { type FaultKind, firstFault, type Link } from "./verify-chain.ts";

/** One entry that a check looks at. `said`: those members of its data that are listed for its type; null once erased. */
export type Milestone = {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly actor: Actor;
  readonly said: Readonly<Record<string, Json>> | null;
};

export type ChainFacts = {
  /** null: the chain is empty */
  readonly head: Head | null;
  /** where it stops being what was written; null when it recomputes from its genesis */
  readonly fault: { readonly kind: FaultKind; readonly seq: number } | null;
  /** in the order of the chain */
  readonly milestones: readonly Milestone[];
};

/** For each type of entry that counts, the members that count. */
export type SaidMembers = Readonly<Record<string, readonly string[]>>;

export type ExpectedChain = { readonly org_id: string; readonly subject: string; readonly head?: Head };

export function factsOfChain(links: readonly Link[], expected: ExpectedChain, said: SaidMembers): ChainFacts {
  const fault = firstFault(links, expected);
  const last = links.at(-1)?.entry;
  return {
    head: last === undefined || entryMisfit(last) !== null ? null : { seq: last.seq, hash: last.hash, at: last.at },
    fault: fault === null ? null : { kind: fault.kind, seq: fault.seq },
    milestones: toMilestones(links, said),
  };
}

// Also of a broken chain: check 6 says that it is broken, and the others go on with what they can see.
export const toMilestones = (links: readonly Link[], said: SaidMembers): Milestone[] => links.flatMap((link) => toMilestone(link, said));

function toMilestone(link: Link, said: SaidMembers): Milestone[] {
  if (entryMisfit(link?.entry) !== null) return [];
  const { entry, data } = link;
  const members = Object.hasOwn(said, entry.type) ? said[entry.type] : undefined;
  if (members === undefined) return [];
  const { seq, type, at, actor } = entry;
  return [{ seq, type, at, actor: { kind: actor.kind, id: actor.id }, said: data === null ? null : picked(data.data, members) }];
}

// A member that is missing stays missing: null would be something that was said.
function picked(data: Json, members: readonly string[]): Record<string, Json> {
  const all = Object(data) as Record<string, Json>;
  return Object.fromEntries(members.flatMap((name) => (Object.hasOwn(all, name) ? [[name, all[name] as Json]] : [])));
}
