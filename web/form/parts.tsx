import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ApiError, Unreachable } from "../http.ts";
import type { FormWords } from "./words/en.ts";

/** What the screens share. */

interface ScreenProps {
  readonly title: string;
  readonly lead?: string;
  readonly isFirst?: boolean;
  readonly children: ComponentChildren;
}

/** The heading of every screen after the first gets the focus, so that screen readers announce it. */
export function Screen({ title, lead, isFirst = false, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section class="card stack">
      <div class="stack tight">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && <p>{lead}</p>}
      </div>
      {children}
    </section>
  );
}

const isTaken = (error: ApiError): boolean => error.code === "form_address_taken";

export const isClosed = (error: unknown): boolean => error instanceof ApiError && error.status === 409 && !isTaken(error);

/** What went wrong, if it is not about one of the fields. */
export function Trouble({ error, w }: { error: unknown; w: FormWords }) {
  return (
    <p class="notice bad" role="alert">
      {textOf(error, w)}
    </p>
  );
}

function textOf(error: unknown, w: FormWords): string {
  if (error instanceof Unreachable) return w.unreachable;
  if (!(error instanceof ApiError)) throw error;
  if (isTaken(error)) return w.addressTaken;
  if (error.status === 429) return w.tooMany(Math.max(1, Math.ceil((error.retry_after_s ?? 60) / 60)));
  return w.failed;
}
