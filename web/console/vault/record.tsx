import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import { call } from "../api.ts";
import { canOpen } from "../can-open.ts";
import { plainFinding } from "../checks/plain-finding.ts";
import { Link } from "../link.tsx";
import { query } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { lazy } from "../parts/lazy.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { StatusNotice } from "../parts/status-notice.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { showToast } from "../parts/toast.tsx";
import { day } from "../parts/when.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { isCustodian } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { useWhenChanged } from "../when-changed.ts";
import { en } from "../words/vault/en.ts";
import { originOf } from "./api.ts";
import { Evidence } from "./evidence.tsx";
import { usePeople } from "./people.ts";
import { PolicyBanner } from "./policy-banner.tsx";
import { type Message, noMessage, type RecordProps } from "./record-props.ts";
import { originWords, Standing, StateChip } from "./words.tsx";

const w = en.record;

const Stored = lazy(async () => (await import("./stored.tsx")).Stored);
const Control = lazy(async () => (await import("./control.tsx")).Control);
const History = lazy(async () => (await import("./history.tsx")).History);
const Exports = lazy(async () => (await import("./exports.tsx")).Exports);

const TABS = [
  ["evidence", w.evidence],
  ["record", w.record],
  ["control", w.control],
  ["history", w.history],
  ["exports", w.exports],
] as const;

const callOf: Record<(typeof TABS)[number][0], (envelope_id: string) => ComponentChildren> = {
  evidence: (envelope_id) => <ApiCall operation="get_compliance" given={{ params: { envelope_id } }} />,
  record: (envelope_id) => <ApiCall operation="get_vault_record" given={{ params: { envelope_id } }} />,
  control: (envelope_id) => <ApiCall operation="list_acts" given={{ query: { envelope_id } }} />,
  history: (envelope_id) => <ApiCall operation="list_vault_accesses" given={{ params: { envelope_id } }} />,
  exports: (envelope_id) => <ApiCall operation="list_vault_exports" given={{ query: { envelope_id } }} />,
};

export function VaultRecord({ params: { envelope_id = "" } }: ScreenProps) {
  const params = { envelope_id };
  const loaded = useLoad(envelope_id, async () => {
    const [copy, compliance] = await Promise.all([call("get_vault_record", { params }), call("get_compliance", { params })]);
    return { copy, compliance };
  });
  const people = usePeople();
  const [message, setMessage] = useState(noMessage);
  const shown = query.value.get("tab");
  useWhenChanged(shown, () => setMessage(noMessage));
  const above = <Link to="/vault">{w.vaultedDocuments}</Link>;
  if (loaded.data === null) {
    return (
      <Screen title={w.vaultedDocument} above={above}>
        {loaded.error === null ? (
          loaded.isSlow && <Skeleton />
        ) : (
          <NotAvailable error={loaded.error} {...{ envelope_id }} again={loaded.reload} />
        )}
      </Screen>
    );
  }
  const { copy, compliance } = loaded.data;
  const done = async (words: string, tone: Message["tone"] = "good") => {
    setMessage(noMessage);
    await loaded.reload();
    if (tone === "good") showToast(words);
    else setMessage({ words, tone });
    // The button that was pressed may have disappeared.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    });
  };
  const it: RecordProps = { envelope_id, name: compliance.envelope_name, copy, compliance, people, done };
  return (
    <Screen title={it.name} above={above} lead={<Head {...it} />}>
      <StateNotice {...it} />
      {!isCustodian() && <PolicyBanner />}
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      <StatusNotice tone={message.tone ?? "good"}>{message.words}</StatusNotice>
      <Tabs label={w.sectionsOfThe} tabs={isCustodian() ? TABS.filter(([tab]) => tab !== "exports") : TABS}>
        {(tab) => (
          <>
            {tab === "evidence" && <Evidence {...it} />}
            {tab === "record" && <Stored {...it} />}
            {tab === "control" && <Control {...it} />}
            {tab === "history" && <History {...it} />}
            {tab === "exports" && <Exports {...it} />}
            {callOf[tab](envelope_id)}
          </>
        )}
      </Tabs>
    </Screen>
  );
}

function Head({ envelope_id, copy }: RecordProps) {
  return (
    <span class="record-head">
      <StateChip state={copy.state} />
      <span class="record-standing">
        <Standing {...copy.certificate} state={copy.state} />
      </span>
      <span>{originWords[originOf(copy)]}</span>
      {canOpen(`/envelopes/${envelope_id}`) && <Link to={`/envelopes/${envelope_id}`}>{w.envelope}</Link>}
    </span>
  );
}

/** Warnings about the state of the record, shown above all tabs. */
function StateNotice({ copy, compliance, people }: RecordProps) {
  if (copy.state === "tampered") {
    const found = compliance.warnings.find(({ code }) => code === "tamper_detected");
    return (
      <div class="notice bad stack tight" role="alert">
        <p>
          <strong>{w.theStoredDocument}</strong> {found !== undefined && plainFinding(found.message, people.nameOf)}
          {w.nothingCanBe}
        </p>
        <p>
          {w.theOperatorOf}
          <code>countersign restore --vault-blob {copy.envelope_id} FILE</code>
        </p>
      </div>
    );
  }
  if (copy.state === "escrowed") return <p class="notice">{w.thisDocumentIs}</p>;
  if (copy.state === "exported" || copy.state === "transferred" || copy.state === "papered")
    return <p class="notice">{w.theOriginalHas}</p>;
  if (copy.state === "destroyed") return <p class="notice">{w.theDocumentWas(day(copy.retention_until))}</p>;
  const isKept =
    copy.custodian === null || people.all.length === 0 || people.all.some(({ user_id }) => user_id === copy.custodian?.user_id);
  return isKept ? null : <p class="notice bad">{w.theCustodianIs}</p>;
}

interface NotAvailableProps {
  readonly error: unknown;
  readonly envelope_id: string;
  readonly again: () => unknown;
}

/** For envelopes that are not vaulted, a link to the envelope. */
function NotAvailable({ error, envelope_id, again }: NotAvailableProps) {
  return (
    <>
      <ErrorNotice error={error} onRetry={again} />
      {error instanceof ApiError && error.status === 409 && canOpen(`/envelopes/${envelope_id}`) && (
        <p>
          <Link to={`/envelopes/${envelope_id}`}>{w.openEnvelope}</Link>
        </p>
      )}
    </>
  );
}
