import type { Locale } from "@countersign/client/types";
import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../http.ts";
import { names } from "../i18n/locales.ts";
import { confirmForm } from "./api.ts";
import { isClosed, Screen, Trouble } from "./parts.tsx";
import { Start } from "./start.tsx";
import { firstLanguage, forgetCode, form, logo, storeLanguage, takeCode } from "./visit.ts";
import type { FormWords } from "./words/en.ts";
import { words } from "./words/words.ts";

type Shown = { readonly at: "start" } | { readonly at: "sent"; readonly email: string } | { readonly at: "confirm" | "expired" | "closed" };

const code = takeCode();
const first = (): Shown => ({ at: code === null ? (form === null ? "closed" : "start") : "confirm" });

export function App() {
  const [locale, setLocale] = useState<Locale>(firstLanguage);
  const [shown, show] = useState<Shown>(first);
  const w = words[locale];
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  const choose = (chosen: Locale) => {
    storeLanguage(chosen);
    setLocale(chosen);
  };
  return (
    <>
      <main>
        {form !== null && (
          <p class="sender">
            {logo !== null && <img class="logo" src={logo} alt="" />}
            {form.sender}
          </p>
        )}
        {shown.at === "start" && form !== null && (
          <Start
            form={form}
            locale={locale}
            w={w}
            onSent={(email) => show({ at: "sent", email })}
            onClosed={() => show({ at: "closed" })}
          />
        )}
        {shown.at === "sent" && (
          <Screen title={w.checkTitle}>
            <p class="address">{w.checkText(shown.email)}</p>
            <p class="quiet">{w.checkHelp}</p>
            <button type="button" class="button" onClick={() => show({ at: "start" })}>
              {w.otherAddress}
            </button>
          </Screen>
        )}
        {shown.at === "confirm" && <Confirm w={w} onEnd={(at) => show({ at })} />}
        {shown.at === "expired" && (
          <Screen title={w.expiredTitle}>
            <p>{w.expiredText}</p>
            <button type="button" class="button primary" onClick={() => show({ at: form === null ? "closed" : "start" })}>
              {w.startAgain}
            </button>
          </Screen>
        )}
        {shown.at === "closed" && (
          <Screen title={w.closedTitle}>
            <p>{w.closedText}</p>
          </Screen>
        )}
      </main>
      <footer class="quiet small">
        <span>{w.sentWith}</span>
        <label>
          {w.language}
          <select class="input" value={locale} onChange={(event) => choose(event.currentTarget.value as Locale)}>
            {(Object.entries(names) as [Locale, string][]).map(([value, name]) => (
              <option key={value} value={value} lang={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </footer>
    </>
  );
}

/** Asks for a press: programs that follow links in messages do not make an envelope. */
function Confirm({ w, onEnd }: { w: FormWords; onEnd: (at: "expired" | "closed") => void }) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const open = async () => {
    setBusy(true);
    setError(null);
    try {
      location.replace(await confirmForm(code ?? ""));
    } catch (caught) {
      setBusy(false);
      const end = endOf(caught);
      if (end === null) return setError(caught);
      forgetCode();
      onEnd(end);
    }
  };
  return (
    <Screen title={w.confirmTitle}>
      <p>{w.confirmText}</p>
      {error !== null && <Trouble error={error} w={w} />}
      <button type="button" class="button primary" disabled={isBusy} onClick={() => void open()}>
        {isBusy ? w.busy : w.confirm}
      </button>
    </Screen>
  );
}

const endOf = (error: unknown): "expired" | "closed" | null => {
  if (!(error instanceof ApiError)) return null;
  if (error.status === 401) return "expired";
  return isClosed(error) ? "closed" : null;
};
