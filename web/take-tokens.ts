import type { Locale } from "@countersign/client/types";
import { takeFragment } from "./fragment.ts";
import { onHello } from "./host/tell-host.ts";
import { firstKnown } from "./i18n/locales.ts";
import { hasChosenLanguage, slug, takeSecret } from "./session.ts";
import { wear } from "./wear.ts";

/** A new token comes in the fragment, never in a message: only then does it stay out of every log and listener. */
export function takeTokens(goOnWith: (token: string) => Promise<void>, speakWith: (locale: Locale) => Promise<void>): void {
  const take = () => {
    const { token, secret, theme } = takeFragment();
    if (secret !== null && slug !== null) return takeSecret(secret);
    void wear(theme);
    if (token !== null) void goOnWith(token);
  };
  addEventListener("hashchange", take);
  // It may have come while this script was still on its way.
  if (location.hash !== "") take();
  onHello(({ locale }) => {
    const known = firstKnown([locale]);
    // What the reader chose counts more than what the host's page is in.
    if (known !== undefined && !hasChosenLanguage()) void speakWith(known);
  });
}
