/** The session storage of this window. Some browsers block it in frames; the pages work without it, but a reload starts from the beginning. */

export function stored(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** null removes the entry */
export function store(name: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, value);
  } catch {
    // Blocked, see above.
  }
}
