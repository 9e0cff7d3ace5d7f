import type { Locale } from "@countersign/client/types";
import { languages, locale, words } from "../i18n/i18n.ts";
import { vault } from "../i18n/vault/vault.ts";
import { Logo } from "../ui/logo.tsx";
import { changeLanguage } from "./load-record.ts";
import { record } from "./record.ts";

export function TopBar() {
  const now = record.value;
  return (
    <header class="top-bar">
      <Logo png={now?.branding.logo} name={now?.envelope.sender ?? ""} />
      {now !== null && (
        <div class="top-title">
          <h1 class="title">{now.envelope.name}</h1>
          <p class="quiet small">{vault.value.keptFor(now.envelope.sender)}</p>
        </div>
      )}
      <Language />
    </header>
  );
}

function Language() {
  return (
    <label class="language">
      <span class="hidden-visually">{words.value.language}</span>
      <select class="input" value={locale.value} onChange={(event) => void changeLanguage(event.currentTarget.value as Locale)}>
        {languages.map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
