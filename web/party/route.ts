import { computed, signal } from "@preact/signals";

export type Listed = "requests" | "records" | "originals" | "security";

/** The place in the page, kept after `#` so that a link from a mail still leads there after the person has logged in. */
export type Place =
  | { readonly screen: Listed }
  | { readonly screen: "request"; readonly act_id: string }
  | { readonly screen: "original"; readonly export_id: string }
  | { readonly screen: "paper"; readonly ending_id: string }
  | { readonly screen: "record"; readonly envelope_id: string }
  | { readonly screen: "unknown" };

const hash = signal(location.hash);
addEventListener("hashchange", () => {
  hash.value = location.hash;
  scrollTo(0, 0);
});

export const place = computed<Place>(() => placeOf(hash.value));

export const hrefOf = (screen: Listed): string => `#/${screen}`;
export const originalHref = (export_id: string): string => `#/originals/${export_id}`;
export const paperHref = (ending_id: string): string => `#/papers/${ending_id}`;
export const recordHref = (envelope_id: string): string => `#/records/${envelope_id}`;
export const actHref = (act_id: string): string => `#/acts/${act_id}`;

function placeOf(given: string): Place {
  const path = given.replace(/^#\/?/, "");
  if (path === "" || path === "requests") return { screen: "requests" };
  if (path === "records" || path === "originals" || path === "security") return { screen: path };
  // Only the characters of an id: others could change the path of the call.
  const [, act_id] = /^acts\/(act_[a-z0-9]+)$/.exec(path) ?? [];
  if (act_id !== undefined) return { screen: "request", act_id };
  const [, export_id] = /^originals\/(exp_[a-z0-9]+)$/.exec(path) ?? [];
  if (export_id !== undefined) return { screen: "original", export_id };
  const [, ending_id] = /^papers\/(end_[a-z0-9]+)$/.exec(path) ?? [];
  if (ending_id !== undefined) return { screen: "paper", ending_id };
  const [, envelope_id] = /^records\/(env_[a-z0-9]+)$/.exec(path) ?? [];
  return envelope_id === undefined ? { screen: "unknown" } : { screen: "record", envelope_id };
}
