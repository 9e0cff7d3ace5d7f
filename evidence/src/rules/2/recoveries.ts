// A record that was released to another vault and taken back without its answer. What a chain says about it is never forgotten, also not by a
// vault that the record moves to afterwards.

import type { Facts2, OriginFacts, Recovery } from "../../facts-2.ts";
import type { Milestone } from "../../milestones.ts";
import type { Link } from "../../verify-chain.ts";
import { milestonesOf } from "./chain-facts.ts";

/** Of every vault that the record was in, the latest vault first. */
export const recoveriesOf = ({ chain, origin }: Facts2): Recovery[] => [...recoveriesIn(chain.milestones), ...recoveriesBefore(origin)];

const recoveriesBefore = (origin: OriginFacts | undefined): Recovery[] =>
  origin === undefined ? [] : [...origin.recoveries, ...recoveriesBefore(origin.facts.origin)];

/** What a whole chain says, for the facts of the vault after. */
export const recoveriesOfChain = (links: readonly Link[]): Recovery[] => recoveriesIn(milestonesOf(links));

const recoveriesIn = (milestones: readonly Milestone[]): Recovery[] =>
  milestones.filter(({ type }) => type === "vault.recovered").map((entry) => recoveryOf(milestones, entry));

function recoveryOf(milestones: readonly Milestone[], { at, said, seq }: Milestone): Recovery {
  // What was erased can be about any transfer, so it is taken to be about this one.
  const isAbout = (other: Milestone, type: string): boolean =>
    other.type === type && (said === null || other.said === null || other.said.transfer_id === said.transfer_id);
  const { root } = Object(said?.to) as { root?: unknown };
  return {
    at,
    released_at: milestones.findLast((other) => other.seq < seq && isAbout(other, "vault.transferred"))?.at ?? null,
    root: typeof root === "string" ? root : null,
    contradicted_at: milestones.find((other) => isAbout(other, "vault.recovery_contradicted"))?.at ?? null,
  };
}

const vaultWords = ({ root }: Recovery): string => (root === null ? "another vault" : `the vault ${root.slice(0, 16)}…`);

/** @example recoveryWords(recovery) // "Released to the vault 9f2c… on …, and recovered on … without its answer. Whether …" */
export const recoveryWords = (one: Recovery): string =>
  `Released to ${vaultWords(one)}${one.released_at === null ? "" : ` on ${one.released_at}`}, and recovered on ${one.at} without its answer. Whether that vault has the original too is not known.`;

export const contradictionWords = (one: Recovery): string =>
  `${vaultWords(one).replace(/^./, (first) => first.toUpperCase())} has the original too: its signed receipt arrived on ${one.contradicted_at}, after the record was recovered on ${one.at}.`;
