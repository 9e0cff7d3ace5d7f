import { type MutableRef, useEffect } from "preact/hooks";
import type { Acceptance } from "../envelopes/acceptance.tsx";
import { orReload } from "../envelopes/stale.ts";
import { type Sending, useSending } from "../sending.ts";
import type { Draft } from "./api.ts";
import type { QuestionsByEmail } from "./people.ts";
import type { Step } from "./steps.tsx";

/** What is in memory alone until it is sent, and lost when the wizard is left. */
export interface Memory {
  readonly questions: QuestionsByEmail;
  readonly acceptance: Acceptance;
}

/** What a step holds that is not saved yet. `save` is true when one can go on. */
interface Held {
  readonly isChanged: boolean;
  save(): Promise<boolean>;
}

export interface StepProps {
  readonly draft: Draft;
  readonly memory: Memory;
  remember(change: Partial<Memory>): void;
  reload(): Promise<void>;
  /** without saving: for a step that has just saved */
  travel(step: Step): void;
  /** saves what the present step holds, and goes */
  leave(step: Step): void;
  readonly held: MutableRef<Held | null>;
  /** what was said against this field when it was to be sent */
  refusalOf(field: string): string | null;
}

export function useHeld(held: StepProps["held"], now: Held): void {
  held.current = now;
  useEffect(() => {
    return () => {
      held.current = null;
    };
  }, []);
}

/** Of a step: a draft that was sent or discarded elsewhere meanwhile is shown as what it is now. */
export function useStepSending(reload: StepProps["reload"]): Sending {
  const sending = useSending();
  return { ...sending, run: (act) => sending.run(() => orReload(act, reload)) };
}

/** The step that a field of the send call belongs to. */
export function stepOfField(field: string | null): Step | null {
  if (field === null) return null;
  if (field.startsWith("signers") || field.startsWith("signing_order")) return "people";
  if (field.startsWith("prefilled_data") || field.startsWith("fields")) return "fields";
  return /^(certification|message|expires_in_days|reminders|secured_party)/.test(field) ? "options" : null;
}
