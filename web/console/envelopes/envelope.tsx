import { useEffect, useState } from "preact/hooks";
import { mail } from "../boot.ts";
import { Link } from "../link.tsx";
import { apiCalls } from "../parts/api-call.tsx";
import { StatusChip } from "../parts/chip.tsx";
import { cut } from "../parts/cut.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { lazy } from "../parts/lazy.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { showToast } from "../parts/toast.tsx";
import { day, fromNow } from "../parts/when.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { useSending } from "../sending.ts";
import { may, me } from "../session.ts";
import { en as words } from "../words/envelope/en.ts";
import { EnvelopeActions } from "./actions.tsx";
import { isDiscarded, isDraft, isOpen } from "./api.ts";
import { atTurn } from "./at-turn.ts";
import { justSent } from "./just-sent.ts";
import { lastList } from "./last-list.ts";
import { namesOf } from "./names-of.ts";
import { openTask } from "./open-task.ts";
import { Overview } from "./overview.tsx";
import { statusText } from "./progress.ts";
import { type EnvelopeData, useEnvelope } from "./use-envelope.ts";

const ApiTab = lazy(async () => (await import("./api-tab.tsx")).ApiTab);
const ComplianceTab = lazy(async () => (await import("./compliance.tsx")).ComplianceTab);
const FailedWork = lazy(async () => (await import("./failed-work.tsx")).FailedWork);
const TagsDialog = lazy(async () => (await import("./tags-dialog.tsx")).TagsDialog);
const Timeline = lazy(async () => (await import("./timeline.tsx")).Timeline);

const tabs = (["overview", "timeline", "compliance", "api"] as const).map((tab) => [tab, words.tabs[tab]] as const);

export function EnvelopeScreen({ params: { envelope_id = "" } }: ScreenProps) {
  const loaded = useEnvelope(envelope_id);
  const { data, error, isSlow, reload } = loaded;
  if (data === null) {
    return (
      <Screen title={words.one} above={<BackLink />}>
        {error !== null ? <ErrorNotice error={error} onRetry={reload} /> : isSlow && <Skeleton />}
      </Screen>
    );
  }
  const { envelope, recipients, progress } = data;
  const changed = [envelope.updated_at, ...recipients.map(({ status }) => status)].join(" ");
  const showMessage = async (said: string) => {
    // First, so that what the message says is on the screen, and a dialog that is opened then begins with it.
    await reload();
    showToast(said);
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
          <About data={data} onDone={showMessage} />
        </>
      }
      actions={<EnvelopeActions data={data} onDone={showMessage} />}
    >
      <SentNotice envelope_id={envelope_id} />
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {may("settings:manage") && !isDraft(envelope.status) && <FailedWork envelope_id={envelope_id} changed={changed} />}
      <div class="stack">
        <Tabs label={words.parts} tabs={tabs.filter(([tab]) => tab !== "api" || apiCalls.isOn.value)}>
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
function About({ data: { envelope, customer }, onDone }: { data: EnvelopeData; onDone: (words: string) => Promise<void> }) {
  const [isTagging, setTagging] = useState(false);
  const { tags, expires_at } = envelope.metadata;
  const name = customer?.name ?? customer?.email ?? null;
  const expires = isOpen(envelope.status) ? expires_at : null;
  const isMember = may("envelopes:write");
  if (name === null && tags.length === 0 && expires === null && !isMember) return null;
  return (
    <div class="envelope-lead">
      {name !== null && <span>{cut(name)}</span>}
      {tags.map((tag) => (
        <span key={tag} class="envelope-tag">
          {tag}
        </span>
      ))}
      {isMember && (
        <button type="button" class="text-button" onClick={() => setTagging(true)}>
          {tags.length === 0 ? words.tags.add : words.tags.change}
        </button>
      )}
      {expires !== null && <span>{words.expires(day(expires), fromNow(expires))}</span>}
      {isTagging && <TagsDialog envelope={envelope} onDone={onDone} onClose={() => setTagging(false)} />}
    </div>
  );
}

const BackLink = () => (
  <p class="small">
    <Link to={lastList()}>{words.envelopes}</Link>
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
          <strong>{words.sent.title}</strong>{" "}
          {mail !== "server" ? words.sent.inOutbox((text) => <Link to="/outbox">{text}</Link>) : isMailed && words.sent.queued}
        </p>
        {byHand.length > 0 && <p>{words.sent.byHand(namesOf(byHand))}</p>}
        {slug !== null && sending.error === null && <p>{words.sent.yourTurn}</p>}
        {sent.warnings.map(({ code, message }) => (
          <p key={code}>{message}.</p>
        ))}
      </div>
      <ErrorNotice error={sending.error} />
    </>
  );
}

const ownEmail = () => me().user.email.toLowerCase();
