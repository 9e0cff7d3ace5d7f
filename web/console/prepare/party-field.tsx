import type { SecuredParty, SecuredPartyInput } from "@countersign/client/types";
import { TextField } from "../parts/field.tsx";
import { en } from "../words/options/en.ts";

const words = en.party;

export type GivenParty = Readonly<Record<keyof SecuredParty, string>>;

/** As the API expects it: null if everything is empty. The API reports a missing name. */
export function partyOf(given: GivenParty): SecuredPartyInput | null {
  const named = Object.entries(given).filter(([, value]) => value.trim() !== "");
  if (named.length === 0) return null;
  return { name: "", ...Object.fromEntries(named.map(([name, value]) => [name, value.trim()])) };
}

interface PartyFieldProps {
  readonly value: GivenParty;
  readonly onChange: (value: GivenParty) => void;
  readonly errorOf: (field: string) => string | null;
}

const fields = [
  ["name", 300],
  ["role", 100],
  ["address", 500],
  ["email", 254],
  ["identifier", 200],
] as const satisfies readonly (readonly [keyof SecuredParty, number])[];

/** The party in whose favour the record is kept. */
export function PartyField({ value, onChange, errorOf }: PartyFieldProps) {
  return (
    <fieldset>
      <legend>
        {words.title} <span class="quiet prepare-optional">{words.optional}</span>
      </legend>
      <div class="columns">
        {fields.map(([name, maxLength]) => (
          <TextField
            key={name}
            label={words[name]}
            name={`secured_party.${name}`}
            autoComplete="off"
            maxLength={maxLength}
            value={value[name]}
            onText={(text) => onChange({ ...value, [name]: text })}
            error={errorOf(`secured_party.${name}`)}
            {...(name === "identifier" && { hint: words.identifierHint })}
          />
        ))}
      </div>
    </fieldset>
  );
}
