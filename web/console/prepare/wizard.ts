import type { UpdateEnvelopeRequest } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import type { MutableRef } from "preact/hooks";
import { ChangedElsewhere } from "../changed-elsewhere.ts";
import type { Acceptance } from "../envelopes/acceptance.tsx";
import { reloadOnConflict } from "../envelopes/reload-on-conflict.ts";
import { type Sending, useSending } from "../sending.ts";
import type { Draft } from "./api.ts";
import type { ChecksByEmail } from "./people.ts";
import type { Step } from "./steps.tsx";

/** Kept in memory until the envelope is sent, and lost when the user leaves the wizard. */
export interface Memory {
  readonly checks: ChecksByEmail;
  readonly acceptance: Acceptance;
}

/** The unsaved changes of a step. `save` returns true if the user can continue. */
export interface UnsavedStep {
  isChanged(): boolean;
  /** whether there are entries that are only kept in memory */
  hasChecks?(): boolean;
  save(): Promise<boolean>;
}

/** What a step saves, to be compared with what was saved elsewhere in the meantime. */
export interface StepSave {
  readonly body: UpdateEnvelopeRequest;
  /** the values of the step as a draft has them */
  stateOf(draft: Draft): string;
  /** whether the draft has the values of this step as they are on the screen */
  isIn(draft: Draft): boolean;
}

/** found while saving automatically, or when the user asked to save */
export type Conflicting = "found" | "asked" | null;

export interface StepProps {
  readonly draft: Draft;
  /** the draft that changes on the screen started from */
  readonly base: MutableRef<Draft>;
  /** another window has changed what the step saves: the wizard asks which version to keep */
  readonly conflict: Conflicting;
  onConflict(conflict: Conflicting): void;
  /** the last save that was begun, so that the next can wait for it */
  readonly turns: MutableRef<Promise<unknown>>;
  readonly memory: Memory;
  remember(change: Partial<Memory>): void;
  reload(): Promise<void>;
  /** goes to a step without saving, for a step that has just saved */
  goTo(step: Step): void;
  /** saves the current step, then goes */
  saveAndGo(step: Step): void;
  readonly unsaved: MutableRef<UnsavedStep | null>;
  /** nothing can be saved any more: the envelope is no longer a draft, or the user has lost the role */
  readonly isBlocked: boolean;
  /** what is saved while the user types, and what is not: the end of the step, above its bar */
  readonly note: ComponentChildren;
  /** the error for this field from the last attempt to send */
  refusalOf(field: string): string | null;
}

/** Two saves never run at the same time: each begins when the one before has ended. */
export function inTurn<T>(turns: StepProps["turns"], act: () => Promise<T>): Promise<T> {
  const turn = turns.current.then(act);
  turns.current = turn.catch(() => undefined);
  return turn;
}

/**
 * Reloads the draft if it was sent or discarded elsewhere in the meantime. About values that were changed elsewhere the wizard asks above the
 * step, so they are no error here.
 */
export function useStepSending({ reload, turns }: Pick<StepProps, "reload" | "turns">): Sending {
  const sending = useSending();
  const run: Sending["run"] = async (act) => {
    let isElsewhere = false;
    const attempt = async () => {
      try {
        await reloadOnConflict(act, reload);
      } catch (error) {
        if (!(error instanceof ChangedElsewhere)) throw error;
        isElsewhere = true;
      }
    };
    return (await sending.run(() => inTurn(turns, attempt))) && !isElsewhere;
  };
  return { ...sending, run };
}

/** The step that shows a field of the send request. */
export function stepOfField(field: string | null): Step | null {
  if (field === null) return null;
  if (field.startsWith("recipients") || field.startsWith("signing_order")) return "people";
  if (field.startsWith("fields")) return "fields";
  return /^(prefilled_data|certification|message|mail_subject|expires_in_days|reminders|secured_party)/.test(field) ? "options" : null;
}
