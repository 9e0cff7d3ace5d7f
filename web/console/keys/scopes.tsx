import type { Scope } from "@countersign/client/types";
import { useId } from "preact/hooks";
import { choicesOf } from "../parts/choices.ts";
import { Checkbox } from "../parts/field.tsx";
import type { Sending } from "../sending.ts";
import { en as words } from "../words/keys/en.ts";
import { areSameScopes, presets, scopeWords } from "./api.ts";

interface ScopesFieldProps {
  readonly scopes: readonly Scope[];
  readonly onScopes: (scopes: readonly Scope[]) => void;
  readonly sending: Sending;
}

/** The scopes of a key, each with a description. */
export function ScopesField({ scopes, onScopes, sending }: ScopesFieldProps) {
  const error = sending.errorOf("scopes");
  const errorId = useId();
  const tick = (scope: Scope, isOn: boolean) => onScopes(isOn ? [...scopes, scope] : scopes.filter((one) => one !== scope));
  return (
    <fieldset {...(error !== null && { "aria-describedby": errorId, "data-wrong": true, tabIndex: -1 })}>
      <legend>{words.permissions}</legend>
      <div class="choices">
        {presets.map(([name, wanted]) => (
          <button key={name} type="button" class="choice" aria-pressed={areSameScopes(wanted, scopes)} onClick={() => onScopes(wanted)}>
            {name}
          </button>
        ))}
      </div>
      <div class="scopes">
        {choicesOf(scopeWords).map(([scope, allows]) => (
          <Checkbox
            key={scope}
            label={<code>{scope}</code>}
            hint={allows}
            checked={scopes.includes(scope)}
            onCheck={(isOn) => tick(scope, isOn)}
          />
        ))}
      </div>
      {error !== null && (
        <p class="error" id={errorId}>
          {words.scopesError(error)}
        </p>
      )}
    </fieldset>
  );
}

/** How many scopes; the tooltip lists them. */
export function ScopesSummary({ scopes }: { scopes: readonly Scope[] }) {
  const preset = presets.find(([, wanted]) => areSameScopes(wanted, scopes));
  return (
    <span title={scopes.join("\n")}>
      {words.scopeCount(scopes.length)}
      {preset !== undefined && <span class="quiet">, {preset[0].toLowerCase()}</span>}
    </span>
  );
}

export function ScopesList({ scopes }: { scopes: readonly Scope[] }) {
  return (
    <ul class="scope-list">
      {scopes.map((scope) => (
        <li key={scope}>
          <code>{scope}</code>
          <span class="quiet">{scopeWords[scope]}</span>
        </li>
      ))}
    </ul>
  );
}
