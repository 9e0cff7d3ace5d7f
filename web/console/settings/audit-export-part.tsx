import type { AuditSink, AuditSinkFrom, AuditSinkKind } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, listAll } from "../api.ts";
import { ActionButton, SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { cut } from "../parts/cut.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Pending } from "../parts/pending.tsx";
import { SecretOnce } from "../parts/secret.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { useInterval, useLoad } from "../use-load.ts";
import { en as words } from "../words/audit-export/en.ts";

// The service refuses a fourth.
const MAX_SINKS = 3;
// Entries are sent once a minute.
const EVERY_S = 30;

type Doing = { readonly act: "add" } | { readonly act: "secret"; readonly secret: string } | null;

/** The systems that audit entries are sent to. For those who may export the audit log. */
export function AuditExportPart({ title }: { title: string }) {
  const loaded = useLoad("audit sinks", () => listAll("list_audit_sinks"));
  const [doing, setDoing] = useState<Doing>(null);
  const { data: sinks, reload } = loaded;
  useInterval(EVERY_S, () => void reload(), sinks !== null && sinks.length > 0);
  const close = () => setDoing(null);
  return (
    <Card
      title={title}
      actions={
        sinks !== null &&
        sinks.length < MAX_SINKS && (
          <button type="button" class="button" onClick={() => setDoing({ act: "add" })}>
            {words.add}
          </button>
        )
      }
    >
      <p class="quiet">{words.lead}</p>
      <p class="quiet">{words.receipts}</p>
      <Pending of={loaded} />
      {sinks?.length === 0 && <p class="quiet">{words.none}</p>}
      {sinks?.map((sink) => (
        <Sink key={sink.sink_id} sink={sink} onChanged={reload} />
      ))}
      {sinks !== null && sinks.length >= MAX_SINKS && <p class="quiet">{words.full(MAX_SINKS)}</p>}
      {doing?.act === "add" && (
        <AddDialog
          onAdded={(secret) => {
            setDoing(secret === null ? null : { act: "secret", secret });
            void reload();
          }}
          onClose={close}
        />
      )}
      {doing?.act === "secret" && (
        <SecretOnce title={words.secretTitle} lead={words.secretLead} secret={doing.secret} what={words.secret} onClose={close} />
      )}
    </Card>
  );
}

function errorWords(error: string): string {
  const [, status] = /^status_(\d+)$/.exec(error) ?? [];
  return status === undefined ? (words.errors[error] ?? error.replaceAll("_", " ")) : words.status(status);
}

function State({ sink: { state, last_success_at } }: { sink: AuditSink }) {
  if (state === "failing") return <Chip tone="bad">{words.states.failing}</Chip>;
  if (state === "off") return <Chip>{words.states.off}</Chip>;
  // A system that nothing was sent to has not shown that it works.
  return last_success_at === null ? <Chip tone="waiting">{words.unused}</Chip> : <Chip tone="good">{words.states.ok}</Chip>;
}

function Sink({ sink, onChanged }: { sink: AuditSink; onChanged: () => Promise<void> }) {
  const sending = useSending();
  const [tested, setTested] = useState<{ readonly accepted: boolean; readonly text: string } | null>(null);
  const [asking, setAsking] = useState<"remove" | "restart" | null>(null);
  const { kind, target, enabled, state, last_error } = sink;
  const params = { sink_id: sink.sink_id };
  const test = async () => {
    setTested(null);
    const { accepted, error } = await call("test_audit_sink", { params });
    setTested({ accepted, text: accepted ? words.accepted[kind] : words.notAccepted(errorWords(error ?? "")) });
  };
  const change = async (body: { enabled?: boolean; from?: AuditSinkFrom }) => {
    await call("update_audit_sink", { params, body });
    await onChanged();
  };
  const remove = async () => {
    await call("delete_audit_sink", { params });
    await onChanged();
  };
  return (
    <section class="stack tight" aria-label={target}>
      <p>
        <strong class="address">{cut(target)}</strong> <State sink={sink} />
      </p>
      <Facts facts={factsOf(sink)} />
      {state === "failing" && last_error !== null && (
        <p class="notice bad">
          {words.facts.error}: {errorWords(last_error)}
        </p>
      )}
      <div class="buttons">
        <ActionButton sending={sending} onAction={test} label={words.testOf(target)}>
          {words.test}
        </ActionButton>
        {enabled && last_error === "position_unknown" && (
          <button type="button" class="button" onClick={() => setAsking("restart")}>
            {words.restart}
          </button>
        )}
        <ActionButton sending={sending} onAction={() => change({ enabled: !enabled })}>
          {enabled ? words.turnOff : words.turnOn}
        </ActionButton>
        <button type="button" class="button" aria-label={words.removeOf(target)} onClick={() => setAsking("remove")}>
          {words.remove}
        </button>
      </div>
      <p role="status" class={tested?.accepted === false ? "error" : undefined}>
        {tested?.text ?? ""}
      </p>
      <ErrorNotice error={sending.error} />
      {asking === "remove" && (
        <Confirm title={words.removeTitle} button={words.remove} kind="danger" onConfirm={remove} onClose={() => setAsking(null)}>
          <p>
            <strong>{cut(target)}</strong>
            {words.removeText}
          </p>
        </Confirm>
      )}
      {asking === "restart" && <RestartDialog target={target} onRestart={(from) => change({ from })} onClose={() => setAsking(null)} />}
    </section>
  );
}

function factsOf({ kind, state, last_success_at, failing_since, next_attempt_at }: AuditSink) {
  const isFailing = state === "failing";
  return [
    [words.kind, words.kinds[kind]] as const,
    [words.facts.last[kind], <When key="last" at={last_success_at} otherwise={words.never} />] as const,
    ...(isFailing ? [[words.facts.failing, <When key="since" at={failing_since} />] as const] : []),
    ...(isFailing ? [[words.facts.next, <When key="next" at={next_attempt_at} otherwise={words.soon} />] as const] : []),
  ];
}

const froms = (["now", "beginning"] as const).map((from) => [from, words.begin[from]] as const);
const kinds = (["webhook", "syslog"] as const).map((kind) => [kind, words.kinds[kind]] as const);

function AddDialog({ onAdded, onClose }: { onAdded: (secret: string | null) => void; onClose: () => void }) {
  const sending = useSending();
  const [kind, setKind] = useState<AuditSinkKind>("webhook");
  const [target, setTarget] = useState("");
  const [from, setFrom] = useState<AuditSinkFrom>("now");
  const add = async () => {
    const { secret } = await call("create_audit_sink", { body: { kind, target: target.trim(), from } });
    onAdded(secret);
  };
  return (
    <Dialog title={words.add} onClose={onClose}>
      <Form sending={sending} onSend={add}>
        <SelectField
          label={words.kind}
          name="kind"
          hint={words.kindHints[kind]}
          value={kind}
          choices={kinds}
          onChoice={setKind}
          sending={sending}
        />
        <TextField
          label={words.target}
          name="target"
          required
          inputMode="url"
          autoComplete="off"
          hint={words.targetHints[kind]}
          value={target}
          onText={setTarget}
          sending={sending}
        />
        <SelectField
          label={words.from}
          name="from"
          hint={words.fromHint}
          value={from}
          choices={froms}
          onChoice={setFrom}
          sending={sending}
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {words.cancel}
          </button>
          <SubmitButton sending={sending}>{words.add}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

interface RestartProps {
  readonly target: string;
  readonly onRestart: (from: AuditSinkFrom) => Promise<unknown>;
  readonly onClose: () => void;
}

function RestartDialog({ target, onRestart, onClose }: RestartProps) {
  const [from, setFrom] = useState<AuditSinkFrom>("now");
  return (
    <Confirm title={words.restartOf(target)} button={words.restart} onConfirm={() => onRestart(from)} onClose={onClose}>
      <div class="stack">
        <p>{words.restartLead}</p>
        <SelectField label={words.from} name="from" hint={words.fromHint} value={from} choices={froms} onChoice={setFrom} />
      </div>
    </Confirm>
  );
}
