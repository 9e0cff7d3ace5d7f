import type { Locale } from "@countersign/client/types";
import { onHello } from "./host/tell-host.ts";
import { hostOptions } from "./host-options.ts";
import { firstKnown } from "./i18n/locales.ts";
import { changeTheme } from "./load-theme.ts";
import { hasChosenLanguage } from "./session.ts";

/** What the host page wishes for its frame: language, colours, and what to hide or to fill in. */
export function watchHello(switchLanguage: (locale: Locale) => Promise<void>): void {
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
