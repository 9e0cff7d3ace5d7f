import type { Locale } from "@countersign/client/types";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../http.ts";
import { startForm } from "./api.ts";
import { isClosed, Screen, Trouble } from "./parts.tsx";
import type { ShownForm } from "./visit.ts";
import type { FormWords } from "./words/en.ts";

interface StartProps {
  readonly form: ShownForm;
  readonly locale: Locale;
  readonly w: FormWords;
  readonly onSent: (email: string) => void;
  readonly onClosed: () => void;
}

type Wrong = { readonly field: "name" | "email"; readonly text: (w: FormWords) => string };

const IS_EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Name and address of the visitor. What was typed stays if the request fails. */
export function Start({ form, locale, w, onSent, onClosed }: StartProps) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const website = useRef<HTMLInputElement>(null);
  const fields = useRef<HTMLFormElement>(null);
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (wrong !== null) (fields.current?.elements.namedItem(wrong.field) as HTMLElement | null)?.focus();
  }, [wrong]);

  const send = async () => {
    const found = mistakeIn(name, email);
    setWrong(found);
    setError(null);
    if (found !== null || isBusy) return;
    setBusy(true);
    try {
      const opened = await startForm({ name: name.trim(), email: email.trim(), locale, website: website.current?.value ?? "" });
      if (opened === null) onSent(email.trim());
      else location.assign(opened);
    } catch (caught) {
      setBusy(false);
      if (isClosed(caught)) return onClosed();
      const refused = refusedField(caught);
      if (refused === null) setError(caught);
      else setWrong(refused);
    }
  };

  return (
    <Screen title={form.name} lead={w.lead(form.sender)} isFirst>
      <form
        ref={fields}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <div>
          <label class="label" for="name">
            {w.name}
          </label>
          <input
            class="input"
            id="name"
            name="name"
            autoComplete="name"
            maxLength={200}
            required
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
            aria-invalid={wrong?.field === "name"}
            aria-describedby={wrong?.field === "name" ? "name-error" : undefined}
          />
          {wrong?.field === "name" && (
            <p class="error" id="name-error">
              {wrong.text(w)}
            </p>
          )}
        </div>
        <div>
          <label class="label" for="email">
            {w.email}
          </label>
          <input
            class="input"
            id="email"
            name="email"
            type="email"
            autoComplete="email"
            maxLength={254}
            required
            value={email}
            onInput={(event) => setEmail(event.currentTarget.value)}
            aria-invalid={wrong?.field === "email"}
            aria-describedby={wrong?.field === "email" ? "email-error email-hint" : "email-hint"}
          />
          {wrong?.field === "email" && (
            <p class="error" id="email-error">
              {wrong.text(w)}
            </p>
          )}
          <p class="hint" id="email-hint">
            {form.verify_email ? w.emailHint : w.emailOnly}
          </p>
        </div>
        <div class="extra" aria-hidden="true">
          <label for="website">Website</label>
          <input ref={website} id="website" name="website" tabIndex={-1} autoComplete="off" />
        </div>
        {error !== null && <Trouble error={error} w={w} />}
        <button type="submit" class="button primary wide" disabled={isBusy}>
          {isBusy ? w.busy : form.verify_email ? w.sendLink : w.openNow}
        </button>
      </form>
    </Screen>
  );
}

function mistakeIn(name: string, email: string): Wrong | null {
  if (name.trim() === "") return { field: "name", text: (w) => w.nameMissing };
  return IS_EMAIL.test(email.trim()) ? null : { field: "email", text: (w) => w.emailWrong };
}

/** A mistake that only the service finds. */
function refusedField(error: unknown): Wrong | null {
  const field = error instanceof ApiError ? (error.details[0]?.field ?? null) : null;
  if (error instanceof ApiError && error.status === 422 && field === "name") return { field, text: (w) => w.nameUnfit };
  return error instanceof ApiError && error.status === 422 && field === "email" ? { field, text: (w) => w.emailWrong } : null;
}
