import { type MutableRef, useEffect } from "preact/hooks";
import type { Acceptance } from "../envelopes/acceptance.tsx";
import { reloadOnConflict } from "../envelopes/reload-on-conflict.ts";
import { type Sending, useSending } from "../sending.ts";
import type { Draft } from "./api.ts";
import type { QuestionsByEmail } from "./people.ts";
import type { Step } from "./steps.tsx";

/** Kept in memory until the envelope is sent, and lost when the user leaves the wizard. */
export interface Memory {
  readonly questions: QuestionsByEmail;
  readonly acceptance: Acceptance;
}

/** The unsaved changes of a step. `save` returns true if the user can continue. */
interface UnsavedStep {
  readonly isChanged: boolean;
  save(): Promise<boolean>;
}

export interface StepProps {
  readonly draft: Draft;
  readonly memory: Memory;
  remember(change: Partial<Memory>): void;
  reload(): Promise<void>;
  /** goes to a step without saving, for a step that has just saved */
  goTo(step: Step): void;
  /** saves the current step, then goes */
  saveAndGo(step: Step): void;
  readonly unsaved: MutableRef<UnsavedStep | null>;
  /** the error for this field from the last attempt to send */
  refusalOf(field: string): string | null;
}

export function useUnsavedStep(unsaved: StepProps["unsaved"], now: UnsavedStep): void {
  unsaved.current = now;
  useEffect(() => {
    return () => {
      unsaved.current = null;
    };
  }, []);
}

/** Reloads the draft if it was sent or discarded elsewhere in the meantime. */
export function useStepSending(reload: StepProps["reload"]): Sending {
  const sending = useSending();
  return { ...sending, run: (act) => sending.run(() => reloadOnConflict(act, reload)) };
}

/** The step that shows a field of the send request. */
export function stepOfField(field: string | null): Step | null {
  if (field === null) return null;
  if (field.startsWith("recipients") || field.startsWith("signing_order")) return "people";
  if (field.startsWith("fields")) return "fields";
  return /^(prefilled_data|certification|message|mail_subject|expires_in_days|reminders|secured_party)/.test(field) ? "options" : null;
}
