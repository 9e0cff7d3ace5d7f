import type { Locale } from "@countersign/client/types";
import { takeFragment } from "./fragment.ts";
import { onHello } from "./host/tell-host.ts";
import { hostOptions } from "./host-options.ts";
import { firstKnown } from "./i18n/locales.ts";
import { changeTheme, loadTheme } from "./load-theme.ts";
import { hasChosenLanguage, replaceSecret, slug } from "./session.ts";

/** New tokens arrive in the fragment, never in a message, so that no log and no other listener sees them. */
export function watchFragment(
  continueWithToken: (token: string) => Promise<void>,
  switchLanguage: (locale: Locale) => Promise<void>,
): void {
  const take = () => {
    const { token, secret, theme } = takeFragment();
    if (secret !== null && slug !== null) return replaceSecret(secret);
    void loadTheme(theme);
    if (token !== null) void continueWithToken(token);
  };
  addEventListener("hashchange", take);
  // The fragment may have changed while this script was loading.
  if (location.hash !== "") take();
  let hostLocale: string | undefined;
  onHello(({ locale, hide, methods, prefill, theme }) => {
    hostOptions.value = { ...(hide && { hide }), ...(methods && { methods }), ...(prefill && { prefill }) };
    if (theme !== undefined) void changeTheme(theme);
    if (locale === hostLocale) return;
    hostLocale = locale;
    const known = firstKnown([locale]);
    // The user's own choice takes precedence over the language of the host page.
    if (known !== undefined && !hasChosenLanguage()) void switchLanguage(known);
  });
}
