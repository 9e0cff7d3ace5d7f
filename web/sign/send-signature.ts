import type { CompletedSigning } from "@countersign/client/pages";
import { signal } from "@preact/signals";
import { tellHost } from "../host/tell-host.ts";
import { ApiError, isTemporary, retryDelayMs } from "../http.ts";
import { forgetToken, idempotencyKey } from "../session.ts";
import { store, stored } from "../storage.ts";
import { isTokenExpired } from "../token-expiry.ts";
import { showTrouble } from "../trouble.ts";
import { untilSignal } from "../until-signal.ts";
import { handleError, refresh } from "./actions.ts";
import { call } from "./api.ts";
import { flush } from "./autosave.ts";
import { applyOpened, entries, isFault, isReviewing, note, opened, revision, stage } from "./ceremony.ts";
import { fetchScreensAhead } from "./parts.tsx";

/**
 * Sends the signature until the service has answered. An answer can be lost after the service has recorded the signature, so the page
 * never guesses: it says that it is sending, that the document is signed, or that it is not signed and why.
 */

/** null: nothing is being sent. "again": an attempt had no answer. */
export const sending = signal<"first" | "again" | null>(null);

/** Set in this window while the signature is on the way, so that a page that was reloaded in between can say what became of it. */
const mark = (): string => `signing ${opened.peek()?.envelope.envelope_id}`;

export async function sign(): Promise<void> {
  if (sending.peek() !== null) return;
  sending.value = "first";
  note.value = null;
  addEventListener("beforeunload", askToStay);
  // The screen that says that the document is signed: the connection may be gone once it is.
  fetchScreensAhead();
  try {
    await flush();
    await sendUntilAnswered();
  } catch (error) {
    await handleError(error);
  } finally {
    removeEventListener("beforeunload", askToStay);
    sending.value = null;
  }
}

const askToStay = (event: Event): void => event.preventDefault();

/** The signature as it was shown. Every attempt sends the same, with the same Idempotency-Key. */
function shownCompletion() {
  const { document, intent } = opened.peek() ?? {};
  if (document == null || intent == null) return null;
  const { version, locale, sha256 } = intent;
  return {
    revision: revision.peek(),
    prepared_sha256: document.prepared_sha256,
    state_sha256: document.state_sha256,
    intent: { version, locale, sha256 },
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

type Completion = NonNullable<ReturnType<typeof shownCompletion>>;

async function sendUntilAnswered(): Promise<void> {
  const completion = shownCompletion();
  if (completion === null) return;
  const by = mark();
  store(by, "sent");
  for (let attempt = 0; ; attempt++) {
    const lost = await attemptOnce(completion);
    if (lost === null) return store(by, null);
    sending.value = "again";
    if (isTemporary(lost)) {
      showTrouble(lost);
      await soonOrOnline(retryDelayMs(lost, attempt));
    } else await untilRenewed();
    await refresh();
    if (isTokenExpired.peek()) await untilRenewed();
    if (!isStillShown(completion)) {
      store(by, null);
      return tellFound();
    }
  }
}

/** Null if the service has answered; otherwise the error after which it is not known whether the document is signed. */
async function attemptOnce(body: Completion): Promise<unknown> {
  try {
    const done = await call("POST /complete", { body, headers: idempotencyKey(body.revision) });
    showSigned(done);
    return null;
  } catch (error) {
    if (isTemporary(error)) return error;
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 422) markRejected(error);
    else await handleError(error);
    return error.status === 401 ? error : null;
  }
}

/** The answer says that the document is signed. The rest is read afterwards. */
function showSigned({ signed_at, envelope_status, signed, total }: CompletedSigning): void {
  forgetToken();
  tellHost({ type: "completed", envelope_status, signed_at });
  const now = opened.peek();
  if (now === null) return;
  applyOpened({
    ...now,
    state: "signed",
    you: { ...now.you, status: "signed", signed_at },
    signers: { ...now.signers, signed, total },
    envelope: { ...now.envelope, status: envelope_status },
  });
  void refresh();
}

/** An earlier attempt was recorded, or the document can no longer be signed as it was shown. */
function tellFound(): void {
  const now = opened.peek();
  if (now?.state === "signed") {
    forgetToken();
    tellHost({ type: "completed", envelope_status: now.envelope.status, signed_at: now.you.signed_at ?? now.server_time });
  } else if (now?.state === "ready") note.value = "stale";
}

function isStillShown(completion: Completion): boolean {
  const now = shownCompletion();
  return stage.peek() === "review" && now !== null && JSON.stringify(now) === JSON.stringify(completion);
}

function markRejected({ details }: ApiError): void {
  const codes = new Map(details.map(({ field, code }) => [field, code]));
  for (const { field, error } of entries.peek()) {
    const code = codes.get(field.field_id);
    if (isFault(code)) error.value = code;
  }
  note.value = "rejected";
  isReviewing.value = false;
}

function soonOrOnline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener("online", done);
  });
}

/** Until a new token has arrived and the service has said whose it is. */
const untilRenewed = (): Promise<void> => untilSignal(isTokenExpired, (isExpired) => !isExpired);

/** After a reload: the last signature of this window was sent, and no answer has arrived. */
export function tellInterrupted(): void {
  const now = opened.peek();
  if (now === null || stored(mark()) === null) return;
  store(mark(), null);
  if (now.state === "ready") note.value = "interrupted";
}
