import { computed, signal } from "@preact/signals";

/** The place in the page, kept after `#` so that a link from a mail still leads there after the person has logged in. */
export type Place =
  | { readonly screen: "requests" | "records" | "security" }
  | { readonly screen: "request"; readonly act_id: string }
  | { readonly screen: "unknown" };

const hash = signal(location.hash);
addEventListener("hashchange", () => {
  hash.value = location.hash;
  scrollTo(0, 0);
});

export const place = computed<Place>(() => placeOf(hash.value));

export const hrefOf = (screen: "requests" | "records" | "security"): string => `#/${screen}`;
export const actHref = (act_id: string): string => `#/acts/${act_id}`;

function placeOf(given: string): Place {
  const path = given.replace(/^#\/?/, "");
  if (path === "" || path === "requests") return { screen: "requests" };
  if (path === "records" || path === "security") return { screen: path };
  // Only the characters of an id: others could change the path of the call.
  const [, act_id] = /^acts\/(act_[a-z0-9]+)$/.exec(path) ?? [];
  return act_id === undefined ? { screen: "unknown" } : { screen: "request", act_id };
}
