import { effect, untracked } from "@preact/signals";
import { tellHost } from "../host/tell-host.ts";
import { hostOptions } from "../host-options.ts";
import { setValue } from "./autosave.ts";
import { controlOf, isFilled, isMark, stage, steps } from "./ceremony.ts";
import { hostValue } from "./host-value.ts";

/** Fields and the host page: it can give values for them, and learns which are filled in, never with what. */
export function watchHostFields(): void {
  reportFields();
  prefillFields();
}

/** What the signer had filled in before is not news. */
function reportFields(): void {
  let before: ReadonlyMap<string, boolean> | null = null;
  effect(() => {
    if (stage.value !== "fields" && stage.value !== "review") return;
    const filled = new Map(steps.value.map((entry) => [entry.field.field_id, isFilled(entry)]));
    for (const { field } of steps.value) {
      const now = filled.get(field.field_id) === true;
      if (before !== null && before.get(field.field_id) !== now) tellHost({ type: "field", name: field.name, filled: now });
    }
    before = filled;
  });
}

/** Fills in the host's values once, where the signer has entered nothing. The signer sees them and can change them. */
function prefillFields(): void {
  const done = new Set<string>();
  effect(() => {
    const values = hostOptions.value.prefill;
    if (values === undefined || stage.value !== "fields") return;
    for (const entry of steps.value) {
      const { field_id, name } = entry.field;
      const value = Object.hasOwn(values, name) ? hostValue(controlOf(entry.field.type), values[name]) : undefined;
      if (value === undefined || isMark(entry.field) || done.has(field_id)) continue;
      done.add(field_id);
      // Read without following it: emptying the field must not fill it in again.
      untracked(() => {
        if (!isFilled(entry)) setValue(entry, value, { now: true });
      });
    }
  });
}
