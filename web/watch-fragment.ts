import { takeFragment } from "./fragment.ts";
import { loadTheme } from "./load-theme.ts";
import { replaceSecret, slug } from "./session.ts";

/** New tokens arrive in the fragment, never in a message, so that no log and no other listener sees them. */
export function watchFragment(continueWithToken: (token: string) => Promise<void>): void {
  const take = () => {
    const { token, secret, theme } = takeFragment();
    if (secret !== null && slug !== null) return replaceSecret(secret);
    void loadTheme(theme);
    if (token !== null) void continueWithToken(token);
  };
  addEventListener("hashchange", take);
  // The fragment may have changed while this script was loading.
  if (location.hash !== "") take();
}
