// Formatting of facts. Times keep their milliseconds so that they can be compared with audit entries.

import type { Party, Source } from "../facts.ts";
import type { IdentityResultFacts } from "../facts-2.ts";
import { methodWords } from "../identity-methods.ts";
import { TEST_OPERATION } from "../test-record.ts";
import type { Cell, Pair, Words } from "./document.ts";

/** `2026-01-02 03:04:05.678 UTC` */
export const utc = (time: string): string => `${clock(time)} UTC`;
/** Without "UTC", for columns whose heading says it. */
export const clock = (time: string): string => time.replace("T", " ").replace(/Z$/, "");

export const NOT_RECORDED: Words = { text: "not recorded", tone: "quiet" };

export const timeOr = (time: string | null | undefined): Words => (time === null || time === undefined ? NOT_RECORDED : utc(time));
export const textOr = (text: string | null | undefined): Words =>
  text === null || text === undefined || text === "" ? NOT_RECORDED : text;

export const hashWords = (hash: string): Words => ({ text: hash, look: "fixed" });
export const hashOr = (hash: string | null): Words => (hash === null ? NOT_RECORDED : hashWords(hash));

// Long enough to find an entry within one record, short enough for a column.
const SHORT_HEX = 16;
export const shortHash = (hash: string): string => hash.slice(0, SHORT_HEX);

export const quiet = (text: string): Words => ({ text, tone: "quiet" });
export const small = (text: string): Words => ({ text, look: "small" });
/** Removes the prefix that is already printed as the label. */
export const withoutLabel = (sentence: string): string => capitalized(sentence.replace(/^Time source: /, ""));
export const pair = (label: string, value: Cell): Pair => ({ label, value });

export const counted = (count: number, one: string, many = `${one}s`): string => `${grouped(count)} ${count === 1 ? one : many}`;

/** `1,234,567`, independent of the machine's locale. */
export const grouped = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");

const SOURCES: Readonly<Record<Source, string>> = {
  signed_here: "Signed in this service",
  electronic_signed: "Signed electronically elsewhere, then uploaded",
  paper_upload: "Signed in ink on paper, then scanned and uploaded",
};
export const sourceName = (source: Source): string => SOURCES[source];

/** A code as words: `government_id` → `government id`. */
export const toWords = (code: string): string => code.replaceAll("_", " ");

export const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** One line for each known detail of a party. */
export function partyWords(party: Party): Words[] {
  const { name, role, address, email, identifier } = party;
  return [
    name,
    ...[role, address, email, identifier].filter((text) => text !== undefined && text !== "").map((text) => quiet(text as string)),
  ];
}

/** The name, if known, and always the ID, because names can change. */
export const personOf = (user_id: string, people: Readonly<Record<string, string>>): string =>
  Object.hasOwn(people, user_id) ? `${people[user_id]} (${user_id})` : user_id;

/** How a person passed a step: the method, where the code was sent, and whether a test operation only recorded it. */
export function passWords({ method, hint, provider }: IdentityResultFacts): string {
  const words = hint === undefined ? methodWords(method) : `${methodWords(method)} to ${hint}`;
  return provider === TEST_OPERATION ? `${words}, recorded by a test operation` : words;
}
