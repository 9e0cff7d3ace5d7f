import type { SecuredParty, SecuredPartyInput } from "@countersign/client/types";
import { TextField } from "../parts/field.tsx";
import type { Sending } from "../sending.ts";

export type PartyForm = Readonly<Record<keyof SecuredParty, string>>;

export const noParty: PartyForm = { name: "", role: "", address: "", email: "", identifier: "" };

/** Empty fields are left out. */
export function partyOf(form: PartyForm): SecuredPartyInput {
  const { name, ...others } = form;
  return { name: name.trim(), ...Object.fromEntries(Object.entries(others).filter(([, value]) => value.trim() !== "")) };
}

interface PartyFieldsProps {
  readonly value: PartyForm;
  readonly onChange: (value: PartyForm) => void;
  readonly sending: Sending;
  /** prefix of the fields in the request body */
  readonly at: "" | "secured_party.";
  readonly optional?: boolean;
}

export function PartyFields({ value, onChange, sending, at, optional = false }: PartyFieldsProps) {
  const field = (name: keyof SecuredParty) => ({
    name: `${at}${name}`,
    value: value[name],
    onText: (text: string) => onChange({ ...value, [name]: text }),
    sending,
  });
  return (
    <>
      <TextField label="Name of the secured party" {...field("name")} maxLength={300} optional={optional} autoComplete="off" />
      <div class="columns">
        <TextField label="Role" {...field("role")} maxLength={100} optional placeholder="Lender" />
        <TextField label="Identifier" {...field("identifier")} maxLength={200} optional hint="For example a registration number" />
        <TextField label="E-mail address" {...field("email")} type="email" optional />
      </div>
      <TextField label="Address" {...field("address")} maxLength={500} optional />
    </>
  );
}
