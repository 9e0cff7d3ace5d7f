/** What comes behind the `#` of a page's address: no server ever sees it. */
export interface Fragment {
  readonly token: string | null;
  /** of a signing link */
  readonly secret: string | null;
  /** from the host's page, not yet checked */
  readonly theme: unknown;
}

/** Takes it out of the address, so that it stays out of history and screenshots. */
export function takeFragment(): Fragment {
  const given = new URLSearchParams(location.hash.slice(1));
  history.replaceState(null, "", location.pathname + location.search);
  return { token: given.get("token"), secret: given.get("k"), theme: readTheme(given.get("theme") ?? "") };
}

function readTheme(base64url: string): unknown {
  try {
    return JSON.parse(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")));
  } catch {
    return null;
  }
}
