import { useEffect, useState } from "preact/hooks";
import { mail } from "../boot.ts";
import { Link } from "../link.tsx";
import { StatusChip } from "../parts/chip.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { lazy } from "../parts/lazy.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { day, fromNow } from "../parts/when.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { useSending } from "../sending.ts";
import { me } from "../session.ts";
import { en as listWords } from "../words/list/en.ts";
import { EnvelopeActions } from "./actions.tsx";
import { isDiscarded, isOpen } from "./api.ts";
import { justSent } from "./just-sent.ts";
import { lastList } from "./last-list.ts";
import { openTask } from "./open-task.ts";
import { Overview } from "./overview.tsx";
import { atTurn, namesOf, statusText } from "./progress.ts";
import { type EnvelopeData, useEnvelope } from "./use-envelope.ts";

const ApiTab = lazy(async () => (await import("./api-tab.tsx")).ApiTab);
const ComplianceTab = lazy(async () => (await import("./compliance.tsx")).ComplianceTab);
const Timeline = lazy(async () => (await import("./timeline.tsx")).Timeline);

const tabs = [
  ["overview", "Overview"],
  ["timeline", "Audit trail"],
  ["compliance", "Compliance"],
  ["api", "API"],
] as const;

export function EnvelopeScreen({ params: { envelope_id = "" } }: ScreenProps) {
  const loaded = useEnvelope(envelope_id);
  const [message, setMessage] = useState("");
  const { data, error, isSlow, reload } = loaded;
  if (data === null) {
    return (
      <Screen title="Envelope" above={<BackLink />}>
        {error !== null ? <ErrorNotice error={error} onRetry={reload} /> : isSlow && <Skeleton />}
      </Screen>
    );
  }
  const { envelope, recipients, progress } = data;
  const changed = [envelope.updated_at, ...recipients.map(({ status }) => status)].join(" ");
  const showMessage = async (words: string) => {
    setMessage(words);
    await reload();
    // The button that had the focus may be gone after the reload.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) document.querySelector<HTMLElement>("main h1")?.focus();
    });
  };
  return (
    <Screen
      title={envelope.envelope_name}
      above={<BackLink />}
      lead={
        <>
          <p class="envelope-lead">
            <StatusChip status={envelope.status} isDiscarded={isDiscarded(envelope)} />{" "}
            <span>{statusText({ envelope, recipients, progress, isMailed: mail === "server" })}</span>
          </p>
          <About data={data} />
        </>
      }
      actions={<EnvelopeActions data={data} onDone={showMessage} />}
    >
      <SentNotice envelope_id={envelope_id} />
      <p class={message === "" ? "hidden-visually" : "notice good"} role="status">
        {message}
      </p>
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      <div class="stack">
        <Tabs label="Parts of the envelope" tabs={tabs}>
          {(tab) => (
            <>
              {tab === "overview" && <Overview data={data} onDone={showMessage} changed={changed} />}
              {tab === "timeline" && <Timeline envelope_id={envelope_id} recipients={recipients} changed={changed} />}
              {tab === "compliance" && <ComplianceTab envelope={envelope} changed={changed} onDone={showMessage} />}
              {tab === "api" && <ApiTab envelope={envelope} />}
            </>
          )}
        </Tabs>
      </div>
    </Screen>
  );
}

/** Whom it is for, its tags, and until when it can be signed. */
function About({ data: { envelope, customer } }: { data: EnvelopeData }) {
  const { tags, expires_at } = envelope.metadata;
  const name = customer?.name ?? customer?.email ?? null;
  const expires = isOpen(envelope.status) ? expires_at : null;
  if (name === null && tags.length === 0 && expires === null) return null;
  return (
    <p class="envelope-lead">
      {name !== null && <span>{name}</span>}
      {tags.map((tag) => (
        <span key={tag} class="envelope-tag">
          {tag}
        </span>
      ))}
      {expires !== null && <span>{listWords.expires(day(expires), fromNow(expires))}</span>}
    </p>
  );
}

const BackLink = () => (
  <p class="small">
    <Link to={lastList()}>Envelopes</Link>
  </p>
);

/** Confirms once that the envelope was sent. If it is the sender's turn, their page opens. */
function SentNotice({ envelope_id }: { envelope_id: string }) {
  const [sent] = useState(() => (justSent.peek()?.envelope_id === envelope_id ? justSent.peek() : null));
  const sending = useSending();
  const mine = atTurn(sent?.recipients ?? []).find(({ email, delivery }) => delivery === "link" && email.toLowerCase() === ownEmail());
  const slug = mine?.slug ?? null;
  useEffect(() => {
    justSent.value = null;
    if (slug !== null) void sending.run(() => openTask(envelope_id, slug));
  }, []);
  if (sent === null) return null;
  const byHand = sent.recipients.filter((one) => one.kind !== "cc" && one.delivery === "link" && one !== mine);
  const isMailed = atTurn(sent.recipients).some(({ delivery }) => delivery === "email");
  return (
    <>
      <div class="notice good stack tight" role="status">
        <p>
          <strong>Sent.</strong>{" "}
          {mail !== "server" ? (
            <>
              No mail server is configured. The messages are in the <Link to="/outbox">Mail outbox</Link>, and you can copy links below.
            </>
          ) : (
            isMailed && "E-mails to the people whose turn it is are queued."
          )}
        </p>
        {byHand.length > 0 && <p>Copy the link for {namesOf(byHand)} below and hand it over.</p>}
        {slug !== null && sending.error === null && <p>It is your turn. Your page opens.</p>}
        {sent.warnings.map(({ code, message }) => (
          <p key={code}>{message}.</p>
        ))}
      </div>
      <ErrorNotice error={sending.error} />
    </>
  );
}

const ownEmail = () => me().user.email.toLowerCase();
