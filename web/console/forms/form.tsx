import type { EnvelopeSummary, Form } from "@countersign/client/types";
import { useEffect } from "preact/hooks";
import { call, list } from "../api.ts";
import { formatNumber } from "../format-number.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { ActionButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { StatusChip } from "../parts/chip.tsx";
import { Copy } from "../parts/copy.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { showToast } from "../parts/toast.tsx";
import { When } from "../parts/when.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { useSending } from "../sending.ts";
import { serverNow } from "../server-now.ts";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as w } from "../words/forms/en.ts";
import { FormSettingsCard } from "./form-settings.tsx";
import { justCreated } from "./just-created.ts";
import { FormStateChip } from "./state.tsx";

const above = (
  <p class="small">
    <Link to="/forms">{w.title}</Link>
  </p>
);

export function FormScreen({ params: { form_id = "" } }: ScreenProps) {
  const loaded = useLoad(form_id, () => call("get_form", { params: { form_id } }));
  const form = loaded.data;
  if (form === null) {
    return (
      <Screen title={w.one} above={above}>
        {loaded.isSlow && <Skeleton />}
        <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      </Screen>
    );
  }
  return <FormView form={form} onChanged={loaded.put} />;
}

function FormView({ form, onChanged }: { form: Form; onChanged: (form: Form) => void }) {
  const { form_id, name, url, state, opened, completed, template_id, created_at } = form;
  const sending = useSending();
  useEffect(() => {
    if (justCreated.peek() === form_id) showToast(w.created);
    justCreated.value = null;
  }, []);
  const move = async (operation: "pause_form" | "resume_form", words: string) => {
    onChanged(await call(operation, { params: { form_id } }));
    showToast(words);
  };
  const actions =
    state === "paused" ? (
      <ActionButton sending={sending} onAction={() => move("resume_form", w.resumed)} kind="primary">
        {w.resume}
      </ActionButton>
    ) : (
      <ActionButton sending={sending} onAction={() => move("pause_form", w.paused)}>
        {w.pause}
      </ActionButton>
    );
  return (
    <Screen
      title={name}
      above={above}
      lead={
        <p class="form-lead">
          <FormStateChip state={state} /> <span>{state === "closed" ? w.closedText[closedBy(form)] : w.stateText[state]}</span>
        </p>
      }
      {...(may("envelopes:write") && state !== "closed" && { actions })}
    >
      <ErrorNotice error={sending.error} />
      <RequirePermission needs="envelopes:write" to={w.mayCreate}>
        {null}
      </RequirePermission>
      <div class="cards">
        <Card title={w.link}>
          <p class="mono form-address">{url}</p>
          <div class="buttons">
            <Copy text={url} what={w.theAddress} />
            <a class="button" href={url} target="_blank" rel="noreferrer">
              {w.openLink}
            </a>
          </div>
          <p class="quiet small">{w.linkText}</p>
        </Card>
        <Card title={w.counts}>
          <Facts
            facts={[
              [w.countsFacts.opened, formatNumber(opened)],
              [w.countsFacts.completed, formatNumber(completed)],
              [
                w.countsFacts.template,
                <Link key="template" to={`/templates/${template_id}`}>
                  {w.openTemplate}
                </Link>,
              ],
              [w.countsFacts.created, <When key="created" at={created_at} />],
            ]}
          />
        </Card>
      </div>
      <FormSettingsCard
        form={form}
        onSaved={(changed) => {
          onChanged(changed);
          showToast(w.saved);
        }}
      />
      <EnvelopesOfForm form_id={form_id} visitor_role={form.settings.visitor_role} />
      <ApiCall operation="get_form" given={{ params: { form_id } }} />
    </Screen>
  );
}

/** The service closes a form for one of three reasons. Two are in its settings. */
function closedBy({ settings: { closes_at, max_total }, opened }: Form): keyof typeof w.closedText {
  if (closes_at !== null && Date.parse(closes_at) <= serverNow()) return "date";
  return max_total !== null && opened >= max_total ? "total" : "template";
}

function EnvelopesOfForm({ form_id, visitor_role }: { form_id: string; visitor_role: string }) {
  const wanted = { form_id, expand: "recipients", page: pageOf(), limit: 10 };
  const loaded = useLoad(JSON.stringify(wanted), () => list("list_envelopes", { query: wanted }));
  const visitorOf = ({ recipients = [], envelope_name }: EnvelopeSummary) => {
    const visitor = recipients.find(({ role }) => role === visitor_role) ?? recipients[0];
    return visitor === undefined ? envelope_name : `${visitor.name}, ${visitor.email}`;
  };
  const columns: readonly Column<EnvelopeSummary>[] = [
    { head: w.envelopeColumns.visitor, cell: visitorOf },
    { head: w.envelopeColumns.status, cell: ({ status }) => <StatusChip status={status} /> },
    { head: w.envelopeColumns.started, cell: ({ created_at }) => <When at={created_at} /> },
  ];
  return (
    <Card title={w.envelopes}>
      <PagedTable
        caption={w.envelopesCaption}
        loaded={loaded}
        columns={columns}
        keyOf={({ envelope_id }) => envelope_id}
        to={({ envelope_id }) => `/envelopes/${envelope_id}`}
        empty={<p class="quiet">{w.noEnvelopes}</p>}
      />
    </Card>
  );
}
