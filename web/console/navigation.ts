import { computed, signal } from "@preact/signals";

/** The address bar as values. Filters, page and tab are in the query, so that a link reproduces what the user saw. */

const BASE = "/console";

const here = () => ({ path: pathOf(location.pathname), search: location.search });
const at = signal(here());

/** without `/console`: `/envelopes/env_…` */
export const path = computed(() => at.value.path);
export const query = computed(() => new URLSearchParams(at.value.search));

addEventListener("popstate", () => {
  const [was, wanted] = [at.peek(), here()];
  if (canLeave(wanted.path + wanted.search)) at.value = wanted;
  // The browser has already moved. Push the page that the user must not leave as the newest entry.
  else history.pushState(null, "", hrefOf(was.path + was.search));
});

function pathOf(pathname: string): string {
  const below = pathname.startsWith(BASE) ? pathname.slice(BASE.length) : pathname;
  return below.replace(/\/+$/, "") || "/";
}

export const hrefOf = (to: string): string => `${BASE}${to}`;

/** Decides whether the user may leave a screen with unsaved changes. `to` is the target, or null when the browser leaves the page. */
type Guard = (to: string | null) => boolean;
let guard: Guard | null = null;

export function blockLeaving(asks: Guard): () => void {
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

interface NavigateOptions {
  /** replaces the current history entry, so that Back does not return to it */
  readonly replace?: boolean;
}

/** False if a guard refuses. The guard asks the user itself. */
export const canLeave = (to: string): boolean => guard === null || guard(to);

export function navigate(to: string, { replace = false }: NavigateOptions = {}): void {
  if (!canLeave(to)) return;
  guard = null;
  show(to, replace);
  scrollTo(0, 0);
}

function show(to: string, replace: boolean): void {
  if (replace) history.replaceState(null, "", hrefOf(to));
  else history.pushState(null, "", hrefOf(to));
  at.value = here();
}

/** Changes query values and keeps the path. Empty values are removed, and a changed filter starts at page 1. Replaces the history entry by default. */
export function setQuery(changes: Readonly<Record<string, string | null>>, { replace = true }: NavigateOptions = {}): void {
  const wanted = new URLSearchParams(query.peek());
  if (!("page" in changes)) wanted.delete("page");
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") wanted.delete(name);
    else wanted.set(name, value);
  }
  const search = wanted.toString();
  show(path.peek() + (search === "" ? "" : `?${search}`), replace);
}

/** The path parameters that a pattern names, such as `/envelopes/:envelope_id`; null if the path does not match. */
export function matchPath(pattern: string, of: string): Readonly<Record<string, string>> | null {
  const [wanted, given] = [pattern.split("/"), of.split("/")];
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, piece] of wanted.entries()) {
    const found = given[index] ?? "";
    if (!piece.startsWith(":")) {
      if (piece !== found) return null;
      continue;
    }
    // Only characters of our ids are allowed. Others could change the API path that the id is put into.
    if (!/^[\w-]+$/.test(found)) return null;
    params[piece.slice(1)] = found;
  }
  return params;
}
