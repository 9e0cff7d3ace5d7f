import { useState } from "preact/hooks";
import { store, stored } from "../../storage.ts";

/**
 * What the API takes only when an envelope is sent, or does not tell of a draft. This tab keeps it, so that a reload goes on with it; the
 * answers to identity questions are not among it, and are never written anywhere.
 */
export interface Notes {
  readonly order: "sequential" | "parallel";
  readonly message: string;
  /** empty: as the envelope was made */
  readonly expires_in_days: string;
  /** empty: no reminders by themselves */
  readonly remind_every_days: string;
  /** by e-mail, lower case */
  readonly locales: Readonly<Record<string, Locale>>;
}

export const locales = ["en", "es", "fr", "de"] as const;
export type Locale = (typeof locales)[number];

const none: Notes = { order: "sequential", message: "", expires_in_days: "", remind_every_days: "", locales: {} };

const nameOf = (envelope_id: string): string => `countersign draft ${envelope_id}`;

export const forgetNotes = (envelope_id: string): void => store(nameOf(envelope_id), null);

export function useNotes(envelope_id: string): [Notes, (change: Partial<Notes>) => void] {
  const [notes, setNotes] = useState<Notes>(() => ({ ...none, ...JSON.parse(stored(nameOf(envelope_id)) ?? "{}") }));
  const change = (changed: Partial<Notes>) =>
    setNotes((now) => {
      const next = { ...now, ...changed };
      store(nameOf(envelope_id), JSON.stringify(next));
      return next;
    });
  return [notes, change];
}
