import type { Locale } from "@countersign/client/types";
import { takeFragment } from "./fragment.ts";
import { onHello } from "./host/tell-host.ts";
import { firstKnown } from "./i18n/locales.ts";
import { hasChosenLanguage, slug, takeSecret } from "./session.ts";
import { wear } from "./wear.ts";

/** New tokens arrive in the fragment, never in a message, so that no log and no other listener sees them. */
export function takeTokens(goOnWith: (token: string) => Promise<void>, speakWith: (locale: Locale) => Promise<void>): void {
  const take = () => {
    const { token, secret, theme } = takeFragment();
    if (secret !== null && slug !== null) return takeSecret(secret);
    void wear(theme);
    if (token !== null) void goOnWith(token);
  };
  addEventListener("hashchange", take);
  // The fragment may have changed while this script was loading.
  if (location.hash !== "") take();
  onHello(({ locale }) => {
    const known = firstKnown([locale]);
    // The user's own choice takes precedence over the language of the host page.
    if (known !== undefined && !hasChosenLanguage()) void speakWith(known);
  });
}
