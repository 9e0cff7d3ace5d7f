import type { IdentityMethod } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { mail } from "../boot.ts";
import { Copy } from "../parts/copy.tsx";
import { Field } from "../parts/field.tsx";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/identity-check/en.ts";
import {
  authenticationOf,
  hasCode,
  type Identity,
  type IdentityCheck,
  identityChecks,
  isMailed,
  lacksCode,
  MAX_CODE,
  suggestCode,
} from "./identity.ts";

interface IdentityFieldProps {
  /** the name in the API's errors, such as `recipients[0].authentication` */
  readonly name: string;
  readonly value: Identity;
  /** the envelope is a draft, which keeps the check without its code */
  readonly isDraft?: boolean;
  /** nothing is chosen yet, and `value` does not count */
  readonly isUnchosen?: boolean;
  readonly onChange: (value: Identity) => void;
  /** a missing code is shown after the first attempt to submit */
  readonly isChecked: boolean;
  /** the API's error for a place such as `[0].code`; empty: for the whole */
  readonly errorOf: (place: string) => string | null;
}

/** How a person is identified before they see the document. An access code that was entered earlier is not shown again. */
export function IdentityField({ name, value, isDraft = false, isUnchosen = false, onChange, isChecked, errorOf }: IdentityFieldProps) {
  const [isHidden, setHidden] = useState(!lacksCode(value) && hasCode(value));
  const [isReopened] = useState(isDraft && hasCode(value) && value.code === "");
  const { data: security } = useLoad("identity", () => call("get_security"));
  const { check, code } = value;
  const canMail = mail === "server";
  const offered = identityChecks.filter((one) => canMail || !isMailed(one) || one === check);
  const demanded = (canMail ? words.demanded : words.demandedWithoutMail)[security?.min_identity_level ?? 0] ?? "";
  const hint = isUnchosen || (check === "none" && demanded !== "") ? "" : words.hints[check];
  const at = (method: IdentityMethod, part: string) =>
    errorOf(`[${authenticationOf(value).findIndex((one) => one.method === method)}].${part}`);
  const refusal = at("access_code", "code");
  const choose = (wanted: IdentityCheck) => {
    onChange({ check: wanted, code: hasCode({ check: wanted, code }) ? code : "" });
    if (!hasCode({ check: wanted, code })) setHidden(false);
  };
  return (
    <>
      <Field
        label={words.label}
        value={isUnchosen ? "" : check}
        error={(isUnchosen && isChecked ? words.isUnchosen : null) ?? errorOf("") ?? at("email_code", "method")}
        hint={[hint, demanded, canMail ? "" : words.noMail].filter(Boolean).join(" ")}
      >
        {(given) => (
          <select
            {...given}
            class="input"
            name={name}
            value={isUnchosen ? "" : check}
            onChange={(event) => choose(event.currentTarget.value as IdentityCheck)}
          >
            {isUnchosen && (
              <option value="" disabled>
                {words.choose}
              </option>
            )}
            {offered.map((one) => (
              <option key={one} value={one}>
                {words.checks[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {hasCode(value) && (
        <div class="stack tight">
          {isReopened && lacksCode(value) && <p class="notice">{words.codeAgain}</p>}
          {isHidden ? (
            <p>{words.isSet}</p>
          ) : (
            // Without its value: the error stays until the code is long enough.
            <Field
              label={words.code}
              hint={`${words.codeHint} ${words.locks}`}
              error={lacksCode(value) && (isChecked || refusal !== null) ? words.tooShort : refusal}
            >
              {(given) => (
                <input
                  {...given}
                  class="input"
                  name={`${name}.code`}
                  autoComplete="off"
                  spellcheck={false}
                  maxLength={MAX_CODE}
                  value={code}
                  onInput={(event) => onChange({ check, code: event.currentTarget.value })}
                />
              )}
            </Field>
          )}
          <div class="buttons">
            {isHidden ? (
              <button
                type="button"
                class="button"
                onClick={() => {
                  onChange({ check, code: "" });
                  setHidden(false);
                }}
              >
                {words.other}
              </button>
            ) : (
              <>
                <button type="button" class="button" onClick={() => onChange({ check, code: suggestCode() })}>
                  {words.suggest}
                </button>
                {!lacksCode(value) && <Copy text={code.trim()} what={words.copyWhat} />}
              </>
            )}
          </div>
        </div>
      )}
    </>
  );
}
