import type { LegalHold, Party, ProposeActRequest, RemoteVault, VaultRecord } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import { kindWords, resultWords } from "../acts/words.tsx";
import { call, listAll } from "../api.ts";
import { Link } from "../link.tsx";
import { query, setQuery } from "../navigation.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { type Sending, useSending } from "../sending.ts";
import { hasRole, isCustodian } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { RecipientFields } from "./recipient-fields.tsx";
import type { RecordProps } from "./record-props.ts";

type Kind = ProposeActRequest["kind"];
type Subject = "party" | "share" | "member" | "pledgee" | "hold" | "recipient" | "vault";

/** The acts that a member proposes here, and what each is about. */
const kinds: Partial<Record<Kind, { readonly about: readonly Subject[]; readonly hint: string }>> = {
  designate: { about: ["party"], hint: "The party confirms that the record is assigned to it. Check 8 then rests on its own word." },
  correct_party: {
    about: ["party"],
    hint: "For a wrong or missing name. A placeholder, or an unconfirmed party with the same name, is corrected at once; otherwise the party on record is asked.",
  },
  assign: { about: ["party"], hint: "The party on record, the new party and every pledgee confirm." },
  participate: { about: ["party", "share"], hint: "The party on record confirms, and stays the controller." },
  pledge: {
    about: ["party"],
    hint: "The party on record and the pledgee confirm. While the pledge stands, the record does not move without the pledgee.",
  },
  release_pledge: { about: ["pledgee"], hint: "The pledgee confirms that its pledge ends." },
  designate_custodian: { about: ["member"], hint: "The party on record names the custodian. A new custodian accepts too." },
  move_custody: { about: ["member"], hint: "The party on record and the new custodian confirm." },
  release_hold: { about: ["hold"], hint: "An admin other than you confirms that the hold ends." },
  paper_out: {
    about: ["recipient"],
    hint: "The party on record and every pledgee confirm. Then the electronic record ends, and the recipient prints one PDF that says so on each page.",
  },
  destroy: {
    about: [],
    hint: "The party on record and an admin other than you confirm. Then the files are removed for good; the audit trail and the certificates stay.",
  },
  transfer_out: {
    about: ["vault"],
    hint: "The party on record and every pledgee confirm. The other organization then accepts the record, and becomes its holder when it is released.",
  },
  recover: {
    about: [],
    hint: "Only if the other vault is gone for good. The party on record and two admins other than you confirm. Whether the other vault has the original too stays unknown, and every later certificate says so.",
  },
};

const left: readonly VaultRecord["state"][] = ["exported", "transferred", "papered"];

/** Only what is possible as things stand is offered. */
function possible({ control, legal_hold, custodian, state, retention_until }: VaultRecord): readonly Kind[] {
  const isOver = new Date(retention_until).getTime() < Date.now();
  const canEnd = hasRole("admin") && !legal_hold;
  if (state !== "active") {
    const ends: readonly Kind[] = left.includes(state) && isOver && canEnd ? ["destroy"] : [];
    return state === "transferred" ? ["recover", ...ends] : ends;
  }
  const { controller, pledges } = control;
  const isPossible: Partial<Record<Kind, boolean>> = {
    designate: controller?.confirmation !== "confirmed" && (controller === null || controller.party_id !== null),
    correct_party: controller !== null,
    release_pledge: pledges.length > 0,
    designate_custodian: custodian !== null,
    move_custody: custodian !== null,
    release_hold: legal_hold,
    paper_out: canEnd,
    destroy: canEnd && isOver && control.pledges.length === 0,
    transfer_out: hasRole("admin"),
    recover: false,
  };
  return (Object.keys(kinds) as Kind[]).filter((kind) => isPossible[kind] ?? true);
}

/** Proposes a change of who controls or keeps the record. The kind can be named in the address, so that other screens can lead here. */
export function Propose(it: RecordProps) {
  const { copy } = it;
  const offered = possible(copy);
  const wanted = query.value.get("propose") as Kind | null;
  const kind = wanted !== null && offered.includes(wanted) ? wanted : null;
  if (offered.length === 0 || isCustodian()) return null;
  return (
    <Card title="Propose a change">
      <p class="quiet small">
        Those concerned confirm on their own page or in the console. Nothing changes until everyone who is asked has confirmed.
      </p>
      <RequireRole least="member" to="propose changes">
        <SelectField
          label="Change"
          name="kind"
          value={kind ?? ""}
          choices={[["", "Choose a change"], ...offered.map((one) => [one, kindWords[one]] as const)]}
          onChoice={(chosen) => setQuery({ propose: chosen })}
          {...(kind !== null && { hint: kinds[kind]?.hint })}
        />
        {kind !== null && <ProposeForm key={`${kind} ${copy.control_version}`} {...it} kind={kind} />}
      </RequireRole>
    </Card>
  );
}

function ProposeForm({ kind, envelope_id, copy, people, done }: RecordProps & { readonly kind: Kind }) {
  const sending = useSending();
  const about = kinds[kind]?.about ?? [];
  const [party_id, setParty] = useState(kind === "designate" ? (copy.control.controller?.party_id ?? "") : "");
  const [share, setShare] = useState("");
  const [user_id, setUser] = useState(kind === "designate_custodian" ? (copy.custodian?.user_id ?? "") : "");
  const [hold_id, setHold] = useState("");
  const [recipient, setRecipient] = useState({ name: "", email: "" });
  const [vault_id, setVault] = useState("");
  const [reason, setReason] = useState("");
  const named = about.includes("party") || about.includes("pledgee");
  const propose = async () => {
    const body = {
      kind,
      reason: reason.trim(),
      present_version: copy.control_version,
      ...(named && { party_id }),
      // An invalid number is sent as null, so that the service says what is allowed.
      ...(about.includes("share") && { share_bp: share.trim() === "" ? Number.NaN : Math.round(Number(share) * 100) }),
      ...(about.includes("member") && { user_id }),
      ...(about.includes("hold") && { hold_id }),
      ...(about.includes("recipient") && { recipient }),
      ...(about.includes("vault") && { vault_id }),
    };
    try {
      const act = await call("propose_act", { params: { envelope_id }, body });
      setQuery({ propose: null });
      await done(resultWords(act), act.state === "effective" ? "good" : "plain");
    } catch (error) {
      // The record changed in the meantime; the form then shows it as it is.
      if (error instanceof ApiError && error.status === 409) await done("");
      throw error;
    }
  };
  return (
    <Form sending={sending} onSend={propose}>
      {about.includes("party") && <PartyChoice value={party_id} onChoice={setParty} sending={sending} />}
      {about.includes("pledgee") && (
        <SelectField
          label="Pledgee"
          name="party_id"
          value={party_id}
          choices={[["", "Choose a pledge"], ...copy.control.pledges.map((pledge) => [pledge.party_id, pledge.name] as const)]}
          onChoice={setParty}
          sending={sending}
        />
      )}
      {about.includes("share") && (
        <TextField
          label="Share in percent"
          name="share_bp"
          type="number"
          inputMode="decimal"
          min="0.01"
          max="100"
          step="0.01"
          value={share}
          onText={setShare}
          sending={sending}
        />
      )}
      {about.includes("member") && (
        <SelectField
          label="Member"
          name="user_id"
          value={user_id}
          choices={[
            ["", "Choose a member"],
            ...people.all
              .filter(({ role }) => role !== "viewer")
              .map((member) => [member.user_id, `${member.name} (${member.email})`] as const),
          ]}
          onChoice={setUser}
          sending={sending}
        />
      )}
      {about.includes("vault") && <VaultChoice value={vault_id} onChoice={setVault} sending={sending} />}
      {about.includes("hold") && <HoldChoice envelope_id={envelope_id} value={hold_id} onChoice={setHold} sending={sending} />}
      {about.includes("recipient") && <RecipientFields value={recipient} onValue={setRecipient} sending={sending} />}
      <TextField
        label="Reason"
        name="reason"
        value={reason}
        onText={setReason}
        maxLength={500}
        sending={sending}
        hint="Everyone who is asked reads it."
      />
      <div class="buttons">
        <SubmitButton sending={sending}>Propose</SubmitButton>
        <button type="button" class="button" onClick={() => setQuery({ propose: null })}>
          Cancel
        </button>
      </div>
    </Form>
  );
}

interface ChoiceProps {
  readonly value: string;
  readonly onChoice: (value: string) => void;
  readonly sending: Sending;
}

function PartyChoice({ value, onChoice, sending }: ChoiceProps) {
  const { data, error, reload } = useLoad<readonly Party[]>("parties", () => listAll("list_parties"));
  if (error !== null) return <ErrorNotice error={error} onRetry={reload} />;
  const all = (data ?? []).filter(({ kind }) => kind !== "vault");
  return (
    <SelectField
      label="Party"
      name="party_id"
      value={value}
      choices={[
        ["", "Choose a party"],
        ...all.map(({ party_id, name, identifier }) => [party_id, identifier === null ? name : `${name} (${identifier})`] as const),
      ]}
      onChoice={onChoice}
      sending={sending}
      hint={<>Not in the list? {hasRole("admin") ? <Link to="/parties">Add the party</Link> : "An admin can add it under Parties."}</>}
    />
  );
}

function VaultChoice({ value, onChoice, sending }: ChoiceProps) {
  const { data, error, reload } = useLoad<readonly RemoteVault[]>("remote vaults", () => listAll("list_remote_vaults"));
  if (error !== null) return <ErrorNotice error={error} onRetry={reload} />;
  return (
    <SelectField
      label="Vault"
      name="vault_id"
      value={value}
      choices={[["", "Choose a vault"], ...(data ?? []).map(({ vault_id, name }) => [vault_id, name] as const)]}
      onChoice={onChoice}
      sending={sending}
      hint={
        <>
          Not in the list? <Link to="/remote-vaults?tab=vaults">Pin the vault</Link>
        </>
      }
    />
  );
}

function HoldChoice({ envelope_id, ...choice }: ChoiceProps & { readonly envelope_id: string }) {
  const { data, error, reload } = useLoad<readonly LegalHold[]>("holds to release", () =>
    listAll("list_legal_holds", { params: { envelope_id } }),
  );
  if (error !== null) return <ErrorNotice error={error} onRetry={reload} />;
  const active = (data ?? []).filter(({ released_at }) => released_at === null);
  return (
    <SelectField
      label="Hold"
      name="hold_id"
      choices={[["", "Choose a hold"], ...active.map(({ hold_id, reason }) => [hold_id, reason] as const)]}
      {...choice}
    />
  );
}
