import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, isTemporary, retryDelayMs, Unreachable } from "../../http.ts";
import { reloadOnConflict } from "../envelopes/reload-on-conflict.ts";
import type { Sending } from "../sending.ts";
import { en } from "../words/prepare/en.ts";
import { inTurn, type StepProps } from "./wizard.ts";

const words = en.states;

// As in the field builder.
const QUIET_MS = 1_500;

interface Outcome {
  /** the entries that the last attempt was about */
  readonly entries: unknown;
  readonly error: unknown;
  /** how many attempts failed one after another */
  readonly failures: number;
  /** the names of what is incomplete and therefore not saved */
  readonly incomplete: readonly string[];
}

interface Autosave {
  /** what is saved, for the status line */
  readonly state: string;
  readonly error: unknown;
  /** an error that the service returned for a field */
  errorOf(field: string): string | null;
  /** after the user has saved everything */
  done(): void;
}

/**
 * Saves the entries of a step a moment after the last change, one save after another, and again after a lost connection. `entries` is
 * another object after each change. `save` leaves out what is incomplete, and returns its names. The focus and the entries stay as they are.
 */
export function useAutosave(
  { isBlocked, conflict, turns, reload }: StepProps,
  sending: Sending,
  entries: unknown,
  save: () => Promise<readonly string[]>,
): Autosave {
  const [isSaving, setSaving] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [first] = useState(() => entries);
  const latest = useRef({ entries, save, sending, isGone: false });
  latest.current = { entries, save, sending, isGone: false };
  useEffect(
    () => () => {
      latest.current.isGone = true;
    },
    [],
  );
  const attempt = () =>
    inTurn(turns, async () => {
      const now = latest.current;
      if (now.isGone) return;
      setSaving(true);
      try {
        const incomplete = await reloadOnConflict(now.save, reload);
        setOutcome({ entries: now.entries, error: null, failures: 0, incomplete });
        // The error of an earlier attempt by the user.
        if (incomplete.length === 0 || isTemporary(now.sending.error)) now.sending.clear();
      } catch (error) {
        setOutcome((was) => ({ entries: now.entries, error, failures: (was?.failures ?? 0) + 1, incomplete: [] }));
      } finally {
        setSaving(false);
      }
    });
  const isTried = (outcome === null ? first : outcome.entries) === entries;
  const error = outcome?.error ?? null;
  const isOff = isBlocked || conflict !== null || (isTried && !isTemporary(error));
  useEffect(() => {
    if (isOff) return;
    const wait = isTried ? retryDelayMs(error, (outcome?.failures ?? 1) - 1) : QUIET_MS;
    const timer = setTimeout(() => void attempt(), wait);
    const again = () => void attempt();
    addEventListener("online", again);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", again);
    };
  }, [entries, outcome, isOff]);
  const stateOf = (): string => {
    if (isBlocked) return "";
    if (isSaving || sending.isBusy) return words.saving;
    if (conflict !== null) return words.conflict;
    if (!isTried) return words.unsaved;
    if (outcome === null) return "";
    if (error === null) return outcome.incomplete.length === 0 ? words.saved : words.incomplete(outcome.incomplete);
    if (error instanceof Unreachable) return words.unreachable;
    if (isTemporary(error)) return words.failed;
    return error instanceof ApiError && error.details.length > 0 ? words.errors(error.details.length) : words.refused;
  };
  return {
    state: stateOf(),
    error,
    errorOf: (field) => (error instanceof ApiError ? (error.details.find((one) => one.field === field)?.message ?? null) : null),
    done: () => setOutcome({ entries: latest.current.entries, error: null, failures: 0, incomplete: [] }),
  };
}
