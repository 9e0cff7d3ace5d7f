import type { MarkInput, SavedSigningFields } from "@countersign/client/pages";
import { signal } from "@preact/signals";
import { ApiError, isTemporary, retryDelayMs } from "../http.ts";
import { token } from "../session.ts";
import { showTrouble } from "../trouble.ts";
import { call } from "./api.ts";
import { type Entry, entries, isFault, type MarkType, marks, namedIn, revision, type Value } from "./ceremony.ts";

/** Saves entries automatically: one request at a time, later changes together in the next one. */

const SAVE_DELAY_MS = 600;

export const saving = signal<"saved" | "saving" | "waiting">("saved");

const pending = new Map<string, Value>();
let timer: ReturnType<typeof setTimeout> | undefined;
let running: Promise<void> | null = null;
/** sent, but not confirmed yet */
let inFlight: ReadonlyMap<string, Value> = new Map();
/** ends the current wait early */
let wake: (() => void) | undefined;

/** the token that the unsaved entries belong to, while it is not known whose the new token is */
let ownToken: string | null = null;

/** A new token has arrived and may belong to another signer. Nothing is saved with it until that is known. */
export function pauseSaving(): void {
  ownToken ??= token.peek();
}

/** The owner of the new token is known. */
export function resumeSaving(): void {
  ownToken = null;
  wake?.();
}

/** The token belongs to another signer, so the unsaved entries of the previous one are dropped. */
export function discardUnsaved(): void {
  clearTimeout(timer);
  pending.clear();
  inFlight = new Map();
  saving.value = "saved";
  wake?.();
}

addEventListener("online", () => wake?.());

/** `now` saves immediately, for choices. Otherwise saving waits for a pause in typing. */
export function setValue(entry: Entry, value: Value, { now = false } = {}): void {
  entry.value.value = value;
  entry.error.value = null;
  entry.isUnsaved = true;
  pending.set(entry.field.field_id, value);
  saving.value = "saving";
  clearTimeout(timer);
  if (now) saveInBackground();
  else timer = setTimeout(saveInBackground, SAVE_DELAY_MS);
}

export const hasUnsaved = (): boolean => pending.size > 0 || running !== null;

let handleSaveError: (error: unknown) => void = () => undefined;

/** Sets the handler for errors of background saves. */
export function onSaveError(take: (error: unknown) => void): void {
  handleSaveError = take;
}

export function saveInBackground(): void {
  flush().catch((error: unknown) => handleSaveError(error));
}

/** Resolves once everything that was entered is saved. */
export function flush(): Promise<void> {
  clearTimeout(timer);
  running ??= saveAll().finally(() => {
    running = null;
  });
  return running;
}

async function saveAll(): Promise<void> {
  for (let attempt = 0; pending.size > 0; ) {
    if (ownToken !== null) {
      await waitForWake(null);
      continue;
    }
    const sent = new Map(pending);
    inFlight = sent;
    pending.clear();
    saving.value = attempt === 0 ? "saving" : "waiting";
    try {
      applySaved(await call("PUT /fields", { body: bodyOf(sent) }), sent);
      attempt = 0;
    } catch (error) {
      // Values typed in the meantime are newer.
      for (const [field_id, value] of inFlight) if (!pending.has(field_id)) pending.set(field_id, value);
      saving.value = "waiting";
      const isExpired = error instanceof ApiError && error.status === 401;
      if (!isTemporary(error) && !isExpired) {
        pending.clear();
        throw error;
      }
      if (isExpired) handleSaveError(error);
      else showTrouble(error);
      await waitForWake(isExpired ? null : retryDelayMs(error, attempt++));
    }
  }
  saving.value = "saved";
}

const bodyOf = (sent: ReadonlyMap<string, Value>) => ({
  revision: revision.peek(),
  values: [...sent].map(([field_id, value]) => ({ field_id, value })),
});

function applySaved(saved: SavedSigningFields, sent: ReadonlyMap<string, Value>): void {
  inFlight = new Map();
  revision.value = saved.revision;
  const errors = new Map(saved.errors.map((error) => [error.field_id, error]));
  for (const entry of entries.peek()) {
    const { field_id, settings } = entry.field;
    // A ticked box can change whether its group has enough ticks.
    if (!(sent.has(field_id) || settings.group) || pending.has(field_id)) continue;
    entry.isUnsaved = false;
    const { code, message } = errors.get(field_id) ?? {};
    entry.undrawable.value = namedIn(message);
    entry.error.value = isFault(code) ? code : null;
  }
}

/** null: waits until `wake` is called */
function waitForWake(ms: number | null): Promise<void> {
  return new Promise((resolve) => {
    wake = resolve;
    if (ms !== null) setTimeout(resolve, ms);
  });
}

/** Adopts a signature or initials and applies them to the pressed field. A different mark is removed from all other fields. */
export async function adoptMark(type: MarkType, mark: MarkInput, at: Entry | null): Promise<void> {
  await flush();
  const values = at === null ? [] : [{ field_id: at.field.field_id, value: true }];
  const saved = await call("PUT /fields", { body: { revision: revision.peek(), adopt: { [type]: mark }, values } });
  const isOther = JSON.stringify(mark) !== JSON.stringify(marks[type].peek());
  revision.value = saved.revision;
  marks[type].value = mark;
  for (const entry of entries.peek()) {
    if (entry.field.type !== type) continue;
    if (entry === at) entry.value.value = true;
    else if (isOther) entry.value.value = null;
  }
}

/** Sends unsaved entries while the page is being closed. */
export function saveOnLeaving(): void {
  const unsaved = new Map([...inFlight, ...pending]);
  if (unsaved.size === 0) return;
  const headers = ownToken === null ? {} : { authorization: `Bearer ${ownToken}` };
  call("PUT /fields", { body: bodyOf(unsaved), headers, keepalive: true }).catch(() => undefined);
}
