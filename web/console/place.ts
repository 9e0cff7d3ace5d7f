import { computed, signal } from "@preact/signals";

/** Where in the console somebody is: the address bar, as values. Filters, page and tab are in the query, so a link leads to what was seen. */

const BASE = "/console";

const here = () => ({ path: pathOf(location.pathname), search: location.search });
const at = signal(here());

/** without `/console`: `/envelopes/env_…` */
export const path = computed(() => at.value.path);
export const query = computed(() => new URLSearchParams(at.value.search));

addEventListener("popstate", () => {
  const [was, wanted] = [at.peek(), here()];
  if (mayLeave(wanted.path + wanted.search)) at.value = wanted;
  // The browser is there already; what was not to be left becomes the newest place.
  else history.pushState(null, "", hrefOf(was.path + was.search));
});

function pathOf(pathname: string): string {
  const below = pathname.startsWith(BASE) ? pathname.slice(BASE.length) : pathname;
  return below.replace(/\/+$/, "") || "/";
}

export const hrefOf = (to: string): string => `${BASE}${to}`;

/** Somebody has not saved: asked before anything else is shown. `to`: where they wanted to go; null when the page itself is left. */
type Guard = (to: string | null) => boolean;
let guard: Guard | null = null;

export function holdBack(asks: Guard): () => void {
  guard = asks;
  const warn = (event: BeforeUnloadEvent) => {
    if (!asks(null)) event.preventDefault();
  };
  addEventListener("beforeunload", warn);
  return () => {
    if (guard === asks) guard = null;
    removeEventListener("beforeunload", warn);
  };
}

interface Going {
  /** in place of where one is: going back does not lead there again */
  readonly replace?: boolean;
}

/** Whether nothing would be lost; whoever holds back asks by itself. */
export const mayLeave = (to: string): boolean => guard === null || guard(to);

export function go(to: string, { replace = false }: Going = {}): void {
  if (!mayLeave(to)) return;
  guard = null;
  show(to, replace);
  scrollTo(0, 0);
}

function show(to: string, replace: boolean): void {
  if (replace) history.replaceState(null, "", hrefOf(to));
  else history.pushState(null, "", hrefOf(to));
  at.value = here();
}

/** Other values in the query, the place stays; an empty one is left out, and a new filter begins at page 1. In place, unless going back shall lead here. */
export function ask(changes: Readonly<Record<string, string | null>>, { replace = true }: Going = {}): void {
  const wanted = new URLSearchParams(query.peek());
  if (!("page" in changes)) wanted.delete("page");
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") wanted.delete(name);
    else wanted.set(name, value);
  }
  const search = wanted.toString();
  show(path.peek() + (search === "" ? "" : `?${search}`), replace);
}

/** The parts of a path that a pattern names, `/envelopes/:envelope_id`; null where it does not fit. */
export function partsOf(pattern: string, of: string): Readonly<Record<string, string>> | null {
  const [wanted, given] = [pattern.split("/"), of.split("/")];
  if (wanted.length !== given.length) return null;
  const parts: Record<string, string> = {};
  for (const [index, piece] of wanted.entries()) {
    const found = given[index] ?? "";
    if (!piece.startsWith(":")) {
      if (piece !== found) return null;
      continue;
    }
    // What is no id of ours names nothing: it would lead somewhere else in the API's paths.
    if (!/^[\w-]+$/.test(found)) return null;
    parts[piece.slice(1)] = found;
  }
  return parts;
}
