/** The part of the address after `#`, which browsers do not send to servers. */
export interface Fragment {
  readonly token: string | null;
  /** secret of a signing link */
  readonly secret: string | null;
  /** how single sign-on went on: a code to finish it with, or what went wrong */
  readonly code: string | null;
  readonly error: string | null;
  /** from the host page, not validated yet */
  readonly theme: unknown;
}

/** Reads the fragment and removes it from the address, so that it does not appear in the history or in screenshots. */
export function takeFragment(): Fragment {
  const given = new URLSearchParams(location.hash.slice(1));
  history.replaceState(null, "", location.pathname + location.search);
  const [code, error] = [given.get("code"), given.get("error")];
  return { token: given.get("token"), secret: given.get("k"), code, error, theme: readTheme(given.get("theme") ?? "") };
}

function readTheme(base64url: string): unknown {
  try {
    return JSON.parse(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")));
  } catch {
    return null;
  }
}
