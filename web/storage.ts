/** This window's own storage. Some browsers refuse it to frames, and the pages work without: then a reload does not know what was before. */

export function stored(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** null: forgotten */
export function store(name: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, value);
  } catch {
    // Refused, as above.
  }
}
