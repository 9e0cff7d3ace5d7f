import type { MailSender, MailSenderRecord, MailSenderRecordName, MailSenderRecordState, MailSenderState } from "@countersign/client/types";
import { useEffect, useState } from "preact/hooks";
import { call } from "../api.ts";
import { mail } from "../boot.ts";
import { ActionButton, SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { Copy } from "../parts/copy.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Checkbox, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Pending } from "../parts/pending.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/mail-settings/en.ts";
import { en as settings } from "../words/settings/en.ts";
import type { PartProps } from "./part.tsx";

const words = en.sender;
const TITLE = words.title;

/** The organization's own sender address, with its DNS records. */
export function MailSenderPart({ onChanged }: Pick<PartProps, "onChanged">) {
  const loaded = useLoad("mail-sender", () => call("get_mail_sender"));
  if (mail !== "server") {
    return (
      <Card title={TITLE}>
        <p class="quiet">{words.noServer}</p>
      </Card>
    );
  }
  if (loaded.data === null)
    return (
      <Card title={TITLE}>
        <Pending of={loaded} />
      </Card>
    );
  return <SenderForm sender={loaded.data.sender} onSaved={loaded.put} onChanged={onChanged} />;
}

interface SenderFormProps extends Pick<PartProps, "onChanged"> {
  readonly sender: MailSender | null;
  readonly onSaved: (state: MailSenderState) => void;
}

function SenderForm({ sender, onSaved, onChanged }: SenderFormProps) {
  const sending = useSending();
  const [name, setName] = useState(sender?.from_name ?? "");
  const [address, setAddress] = useState(sender?.from_address ?? "");
  const [isOwn, setOwn] = useState(sender?.smtp != null);
  const [host, setHost] = useState(sender?.smtp?.host ?? "");
  const [port, setPort] = useState(String(sender?.smtp?.port ?? 587));
  const [isSecure, setSecure] = useState(sender?.smtp?.secure ?? false);
  const [user, setUser] = useState(sender?.smtp?.user ?? "");
  const [password, setPassword] = useState("");
  const before = sender?.smtp ?? null;
  const isServerChanged =
    isOwn !== (before !== null) ||
    (isOwn &&
      (host !== before?.host ||
        port !== String(before.port) ||
        isSecure !== before.secure ||
        user !== (before.user ?? "") ||
        password !== ""));
  const isChanged = name !== (sender?.from_name ?? "") || address !== (sender?.from_address ?? "") || isServerChanged;
  useEffect(() => onChanged(TITLE, isChanged), [isChanged]);
  const save = async () => {
    const own = { host: host.trim(), port: Number(port), secure: isSecure, user: user || null, password: password || null };
    const body = { from_name: name.trim(), from_address: address.trim(), ...(isServerChanged && { smtp: isOwn ? own : null }) };
    onSaved(await call("set_mail_sender", { body }));
    setPassword("");
  };
  const remove = async () => {
    await call("remove_mail_sender");
    onSaved({ sender: null });
    setName("");
    setAddress("");
    setOwn(false);
  };
  return (
    <Card title={TITLE}>
      <p class="quiet">{words.lead}</p>
      <Form sending={sending} onSend={save} wide>
        <div class="columns">
          <TextField label={words.name} name="from_name" required value={name} onText={setName} sending={sending} />
          <TextField
            label={words.address}
            name="from_address"
            required
            type="email"
            value={address}
            onText={setAddress}
            sending={sending}
          />
        </div>
        <Checkbox label={words.own} hint={words.ownHint} checked={isOwn} onCheck={setOwn} />
        {isOwn && (
          <>
            <div class="columns">
              <TextField label={words.host} name="smtp.host" required value={host} onText={setHost} sending={sending} />
              <TextField
                label={words.port}
                name="smtp.port"
                required
                type="number"
                inputMode="numeric"
                value={port}
                onText={setPort}
                sending={sending}
              />
            </div>
            <Checkbox label={words.tls} hint={words.tlsHint} checked={isSecure} onCheck={setSecure} />
            <div class="columns">
              <TextField label={words.user} name="smtp.user" optional value={user} onText={setUser} sending={sending} />
              <TextField
                label={words.password}
                name="smtp.password"
                type="password"
                autoComplete="new-password"
                optional
                hint={before === null ? words.passwordHint : words.passwordAgain}
                value={password}
                onText={setPassword}
                sending={sending}
              />
            </div>
          </>
        )}
        <div class="save-line">
          <SubmitButton sending={sending}>{settings.save}</SubmitButton>
          {sender !== null && (
            <ActionButton sending={sending} onAction={remove}>
              {words.remove}
            </ActionButton>
          )}
          {isChanged && !sending.isBusy && <p class="quiet">{settings.unsaved}</p>}
        </div>
      </Form>
      {sender !== null && <Records sender={sender} onSaved={onSaved} />}
    </Card>
  );
}

const recordWords: Record<MailSenderRecordName, string> = words.recordNames;
const stateWords: Record<MailSenderRecordState, string> = words.states;

function Records({ sender, onSaved }: { readonly sender: MailSender; readonly onSaved: (state: MailSenderState) => void }) {
  const sending = useSending();
  const check = async () => onSaved(await call("check_mail_sender"));
  return (
    <section class="stack" aria-label={words.records}>
      <p role="status">
        {sender.verified_at === null ? (
          <Chip tone="waiting">{words.notVerified}</Chip>
        ) : (
          <>
            <Chip tone="good">{words.verified}</Chip>
            {words.from(sender.from_address)}
          </>
        )}{" "}
        {sender.checked_at !== null && (
          <span class="quiet">
            {words.checked} <When at={sender.checked_at} />
          </span>
        )}
      </p>
      <p>{words.publish}</p>
      {sender.records.map((record) => (
        <DnsRecord key={record.record} record={record} />
      ))}
      <ErrorNotice error={sending.error} />
      <div class="save-line">
        <ActionButton sending={sending} onAction={check}>
          {words.check}
        </ActionButton>
      </div>
    </section>
  );
}

function DnsRecord({ record: { record, name, value, state, found } }: { readonly record: MailSenderRecord }) {
  return (
    <div class="stack tight">
      <p>
        <strong>{recordWords[record]}</strong>{" "}
        {state !== null && <Chip tone={state === "found" ? "good" : "waiting"}>{stateWords[state]}</Chip>}
      </p>
      <p class="mono mail-record">{name}</p>
      <p class="mono mail-record">{value}</p>
      {state === "different" && <p class="error">{words.found(found.join(" · "))}</p>}
      <p>
        <Copy text={value} what={words.record(recordWords[record])} />
      </p>
    </div>
  );
}
