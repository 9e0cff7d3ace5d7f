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
import { RequirePermission } from "../parts/require-permission.tsx";
import { type Sending, useSending } from "../sending.ts";
import { serverNow } from "../server-now.ts";
import { isCustodian, may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/vault/en.ts";
import { RecipientFields } from "./recipient-fields.tsx";
import type { RecordProps } from "./record-props.ts";

const w = en.propose;

type Kind = ProposeActRequest["kind"];
type Subject = "party" | "share" | "member" | "pledgee" | "hold" | "recipient" | "vault";

/** The acts that a member proposes here, and what each is about. */
const kinds: Partial<Record<Kind, { readonly about: readonly Subject[]; readonly hint: string }>> = {
  designate: { about: ["party"], hint: w.thePartyConfirms },
  correct_party: {
    about: ["party"],
    hint: w.forAWrong,
  },
  assign: { about: ["party"], hint: w.thePartyOn },
  participate: { about: ["party", "share"], hint: w.thePartyOnRecord },
  pledge: {
    about: ["party"],
    hint: w.thePartyOnRecordAnd,
  },
  release_pledge: { about: ["pledgee"], hint: w.thePledgeeConfirms },
  designate_custodian: { about: ["member"], hint: w.thePartyOnRecordNames },
  move_custody: { about: ["member"], hint: w.thePartyOnRecordAndThe },
  release_hold: { about: ["hold"], hint: w.anAdminOther },
  paper_out: {
    about: ["recipient"],
    hint: w.thePartyOnRecordAndEvery,
  },
  destroy: {
    about: [],
    hint: w.thePartyOnRecordAndAn,
  },
  transfer_out: {
    about: ["vault"],
    hint: w.thePartyOnRecordAndEveryPledgee,
  },
  recover: {
    about: [],
    hint: w.onlyIfThe,
  },
};

const left: readonly VaultRecord["state"][] = ["exported", "transferred", "papered"];

/** Only what is possible as things stand is offered. */
function possible({ control, legal_hold, custodian, state, retention_until }: VaultRecord): readonly Kind[] {
  const isOver = new Date(retention_until).getTime() < serverNow();
  const canEnd = may("vault:release") && !legal_hold;
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
    transfer_out: may("vault:release"),
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
    <Card title={w.proposeAChange}>
      <p class="quiet small">{w.thoseConcernedConfirm}</p>
      <RequirePermission needs="control:write" to={w.proposeChanges}>
        <SelectField
          label={w.change}
          name="kind"
          value={kind ?? ""}
          choices={[["", w.chooseAChange], ...offered.map((one) => [one, kindWords[one]] as const)]}
          onChoice={(chosen) => setQuery({ propose: chosen })}
          {...(kind !== null && { hint: kinds[kind]?.hint })}
        />
        {kind !== null && <ProposeForm key={`${kind} ${copy.control_version}`} {...it} kind={kind} />}
      </RequirePermission>
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
          label={w.pledgee}
          name="party_id"
          required
          value={party_id}
          choices={[["", w.chooseAPledge], ...copy.control.pledges.map((pledge) => [pledge.party_id, pledge.name] as const)]}
          onChoice={setParty}
          sending={sending}
        />
      )}
      {about.includes("share") && (
        <TextField
          label={w.shareInPercent}
          name="share_bp"
          required
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
          label={w.member}
          name="user_id"
          required
          value={user_id}
          choices={[
            ["", w.chooseAMember],
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
        label={w.reason}
        name="reason"
        required
        value={reason}
        onText={setReason}
        maxLength={500}
        sending={sending}
        hint={w.everyoneWhoIs}
      />
      <div class="buttons">
        <SubmitButton sending={sending}>{w.propose}</SubmitButton>
        <button type="button" class="button" onClick={() => setQuery({ propose: null })}>
          {w.cancel}
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
      label={w.party}
      name="party_id"
      value={value}
      choices={[
        ["", w.chooseAParty],
        ...all.map(({ party_id, name, identifier }) => [party_id, identifier === null ? name : `${name} (${identifier})`] as const),
      ]}
      onChoice={onChoice}
      sending={sending}
      hint={
        <>
          {w.notInThe}
          {may("parties:write") ? <Link to="/parties">{w.addTheParty}</Link> : w.anAdminCan}
        </>
      }
    />
  );
}

function VaultChoice({ value, onChoice, sending }: ChoiceProps) {
  const { data, error, reload } = useLoad<readonly RemoteVault[]>("remote vaults", () => listAll("list_remote_vaults"));
  if (error !== null) return <ErrorNotice error={error} onRetry={reload} />;
  return (
    <SelectField
      label={w.vault}
      name="vault_id"
      required
      value={value}
      choices={[["", w.chooseAVault], ...(data ?? []).map(({ vault_id, name }) => [vault_id, name] as const)]}
      onChoice={onChoice}
      sending={sending}
      hint={
        <>
          {w.notInThe}
          <Link to="/remote-vaults?tab=vaults">{w.pinTheVault}</Link>
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
      label={w.hold}
      name="hold_id"
      required
      choices={[["", w.chooseAHold], ...active.map(({ hold_id, reason }) => [hold_id, reason] as const)]}
      {...choice}
    />
  );
}
