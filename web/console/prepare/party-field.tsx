import type { SecuredParty, SecuredPartyInput } from "@countersign/client/types";
import { TextField } from "../parts/field.tsx";

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
  ["name", "Name", 300],
  ["role", "Role", 100],
  ["address", "Address", 500],
  ["email", "E-mail address", 254],
  ["identifier", "Identifier", 200],
] as const satisfies readonly (readonly [keyof SecuredParty, string, number])[];

/** The party in whose favour the record is kept. */
export function PartyField({ value, onChange, errorOf }: PartyFieldProps) {
  return (
    <fieldset>
      <legend>
        Secured party <span class="quiet prepare-optional">(optional)</span>
      </legend>
      <div class="columns">
        {fields.map(([name, label, maxLength]) => (
          <TextField
            key={name}
            label={label}
            name={`secured_party.${name}`}
            autoComplete="off"
            maxLength={maxLength}
            value={value[name]}
            onText={(text) => onChange({ ...value, [name]: text })}
            error={errorOf(`secured_party.${name}`)}
            {...(name === "identifier" && { hint: "For example, a bank's registration number." })}
          />
        ))}
      </div>
    </fieldset>
  );
}
