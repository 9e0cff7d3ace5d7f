import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { ApiError, Unreachable } from "../http.ts";
import { PasskeyRefused } from "../passkeys.ts";
import type { Task } from "./task.ts";

/** The components that the screens share. */

interface ScreenProps {
  readonly title: string;
  readonly above?: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The heading gets the focus, so that screen readers announce the new screen. */
export function Screen({ title, above, lead, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Countersign`;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <div class="stack">
      <header class="stack tight">
        {above}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && <p class="quiet">{lead}</p>}
      </header>
      {children}
    </div>
  );
}

interface NotLoadedProps extends Pick<ScreenProps, "above" | "children"> {
  /** what is shown, such as "Request" */
  readonly what: string;
  readonly error: unknown;
  readonly onRetry: () => unknown;
}

/** Instead of something that is not loaded yet, failed to load, or does not exist for this person; `children` then say what that means. */
export function NotLoaded({ what, above, error, onRetry, children }: NotLoadedProps) {
  const isMissing = error instanceof ApiError && error.status === 404;
  return (
    <Screen title={isMissing ? `${what} not found` : what} above={above}>
      {isMissing ? <p class="notice">{children}</p> : <ErrorNotice error={error} onRetry={onRetry} />}
    </Screen>
  );
}

export function Card({ title, children }: { title: string; children: ComponentChildren }) {
  const id = useId();
  return (
    <section class="card stack" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export type Tone = "plain" | "waiting" | "good" | "caution" | "bad";

/** The colour only repeats what the text says. */
export function Chip({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`chip ${tone}`}>{children}</span>;
}

interface TextFieldProps {
  readonly label: string;
  /** the name that the service uses in its errors */
  readonly name: string;
  readonly value: string;
  readonly onText: (value: string) => void;
  readonly task?: Task;
  readonly hint?: string;
  readonly type?: "email" | "text";
  readonly autoComplete?: string;
  readonly inputMode?: "numeric" | "email" | "text";
  readonly maxLength?: number;
  /** several lines */
  readonly rows?: number;
}

export function TextField({ label, name, value, onText, task, hint, rows, ...more }: TextFieldProps) {
  const id = useId();
  const error = task?.errorOf(name) ?? null;
  const described = [hint !== undefined && `${id}-hint`, error !== null && `${id}-error`].filter(Boolean).join(" ");
  const shared = {
    id,
    name,
    value,
    class: "input",
    "aria-invalid": error !== null,
    "aria-describedby": described === "" ? undefined : described,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) => onText(event.currentTarget.value),
  };
  return (
    <div>
      <label class="label" htmlFor={id}>
        {label}
      </label>
      {rows === undefined ? <input {...more} {...shared} /> : <textarea maxLength={more.maxLength} rows={rows} {...shared} />}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== null && (
        <p class="error" id={`${id}-error`}>
          {label} {error}
        </p>
      )}
    </div>
  );
}

/** The eight digits of a mail. Spaces and other signs that were copied along are dropped. */
export function CodeField({ value, onText, task }: Pick<TextFieldProps, "value" | "onText"> & { readonly task: Task }) {
  return (
    <TextField
      label="Code"
      name="code"
      value={value}
      onText={(text) => onText(text.replaceAll(/\D/g, "").slice(0, 8))}
      task={task}
      hint="8 digits from the e-mail. It works once, for 10 minutes."
      inputMode="numeric"
      autoComplete="one-time-code"
    />
  );
}

interface FormProps {
  readonly task: Task;
  readonly onSend: () => Promise<unknown>;
  readonly children: ComponentChildren;
}

export function Form({ task, onSend, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (task.error !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [task.error]);
  const named = [...(form.current?.querySelectorAll<HTMLInputElement>("[name]") ?? [])].map(({ name }) => name);
  return (
    <form
      ref={form}
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void task.run(onSend);
      }}
    >
      {children}
      <ErrorNotice error={task.error} shown={named} />
    </form>
  );
}

interface ButtonProps {
  readonly task: Task;
  readonly children: ComponentChildren;
  /** without it, the button submits its form */
  readonly onAction?: () => Promise<unknown>;
  readonly kind?: "primary" | "danger" | "plain";
  readonly wide?: boolean;
  readonly label?: string;
}

/** Uses `aria-disabled` while it is busy, because `disabled` would lose the focus. */
export function ActionButton({ task, children, onAction, kind = "plain", wide = false, label }: ButtonProps) {
  return (
    <button
      type={onAction === undefined ? "submit" : "button"}
      class={`button${kind === "plain" ? "" : ` ${kind}`}${wide ? " wide" : ""}`}
      aria-disabled={task.isBusy}
      aria-label={label}
      {...(onAction !== undefined && { onClick: () => void task.run(onAction) })}
    >
      {task.isBusy ? "One moment…" : children}
    </button>
  );
}

interface ErrorNoticeProps {
  readonly error: unknown;
  readonly onRetry?: () => unknown;
  /** fields that show their own errors */
  readonly shown?: readonly string[];
}

/** What went wrong, and what the person can do about it. */
export function ErrorNotice({ error, onRetry, shown = [] }: ErrorNoticeProps) {
  if (error === null || error === undefined) return null;
  const isTooMany = error instanceof ApiError && error.status === 429;
  const all = error instanceof ApiError ? error.details : [];
  const details = isTooMany ? all : all.filter(({ field }) => field === null || !shown.includes(field));
  return (
    <div class="notice bad stack tight" role="alert">
      {!(isTooMany && details.length > 0) && <p>{sentenceOf(error)}</p>}
      {details.map(({ message }) => (
        <p key={message}>{asSentence(message)}</p>
      ))}
      {isTooMany && details.length === 0 && <Countdown key={error.request_id} seconds={error.retry_after_s ?? 60} />}
      {onRetry !== undefined && (
        <div class="buttons">
          <button type="button" class="button" onClick={() => void onRetry()}>
            Try again
          </button>
        </div>
      )}
      {error instanceof ApiError && error.request_id !== "" && <p class="reference">Reference {error.request_id}</p>}
    </div>
  );
}

function sentenceOf(error: unknown): string {
  if (error instanceof PasskeyRefused) return error.message;
  if (error instanceof Unreachable) return "Countersign is not responding. Check your network connection, then try again.";
  if (!(error instanceof ApiError)) return "Something went wrong on this page. Reload it.";
  if (error.status === 429) return "Too many attempts.";
  return error.status === 422 ? "Check what you entered." : asSentence(error.message);
}

const asSentence = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, "")}.`;

function Countdown({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <p>{left > 0 ? `You can try again in ${waitWords(left)}.` : "You can try again now."}</p>;
}

function waitWords(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  return seconds < 7_200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3_600)} hours`;
}

const moments = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** Local time, with UTC for those who quote it. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace("T", " ")} UTC`}>
      {moments.format(new Date(at))}
    </time>
  );
}
