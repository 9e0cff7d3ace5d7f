import type { Envelope, SigningOrder } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Link } from "../link.tsx";
import { Card } from "../parts/card.tsx";
import { Facts } from "../parts/facts.tsx";
import { lazy } from "../parts/lazy.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { local, When } from "../parts/when.tsx";
import { hasRole } from "../session.ts";
import { en } from "../words/repeat/en.ts";
import { isDiscarded, isDraft, isOpen } from "./api.ts";
import { DocumentCard } from "./document.tsx";
import { Recipients } from "./recipients.tsx";
import type { EnvelopeData } from "./use-envelope.ts";

const Activity = lazy(async () => (await import("./activity.tsx")).Activity);
const DatesDialog = lazy(async () => (await import("./dates-dialog.tsx")).DatesDialog);

interface OverviewProps {
  readonly data: EnvelopeData;
  readonly onDone: (words: string) => Promise<void>;
}

/** The document, and beside it the people, what happened, and the settings. `changed`: differs whenever something happened */
export function Overview({ data, onDone, changed }: OverviewProps & { readonly changed: string }) {
  const { envelope } = data;
  return (
    <>
      {!hasRole("member") && (
        <RequireRole least="member" to="prepare, send, remind or void envelopes">
          {null}
        </RequireRole>
      )}
      <div class="envelope-columns">
        <DocumentCard key={String(isDraft(envelope.status))} envelope={envelope} recipients={data.recipients} />
        <div class="envelope-side">
          <Recipients data={data} onDone={onDone} />
          <Activity envelope_id={envelope.envelope_id} recipients={data.recipients} isDiscarded={isDiscarded(envelope)} changed={changed} />
          <Details data={data} onDone={onDone} />
        </div>
      </div>
    </>
  );
}

const orders: Record<SigningOrder, string> = { sequential: "One after another", parallel: "All at the same time", steps: "In steps" };

function Details({ data: { envelope, customer, recipients }, onDone }: OverviewProps) {
  const [isAsking, setAsking] = useState(false);
  const { template_id, external_id, created_at, updated_at, metadata } = envelope;
  const { sent_at, expires_at, reminders, kba_required, auto_vault_enabled, custom } = metadata;
  const isChangeable = isOpen(envelope.status) && hasRole("member");
  return (
    <Card
      title="Details"
      actions={
        isChangeable && (
          <button type="button" class="button" onClick={() => setAsking(true)}>
            {en.dates.button}
          </button>
        )
      }
    >
      <Facts
        facts={[
          ["Customer", customer === null ? "–" : <CustomerLink key="c" {...customer} />],
          ["External ID", external_id ?? "–"],
          ["Template", template_id === null ? "None" : <TemplateLink key="t" template_id={template_id} />],
          ["Created", <When key="a" at={created_at} />],
          ["Sent", <When key="s" at={sent_at} otherwise="Not yet" />],
          ["Updated", <When key="u" at={updated_at} />],
          ["Expires", expires_at === null ? "Set when sent" : local(expires_at)],
          ["Order", recipients.length === 0 ? "–" : orders[metadata.signing_order]],
          [en.dates.fact, remindersText(reminders)],
          ["Identity questions", kba_required ? "Asked before the document is shown" : "None"],
          ["Automatic vault storage", auto_vault_enabled ? "On, after everyone has signed" : "Off"],
          ["Secured party", <Party key="p" envelope={envelope} />],
          ["Metadata", custom === null ? "–" : <pre class="envelope-metadata">{JSON.stringify(custom, null, 2)}</pre>],
        ]}
      />
      {isAsking && <DatesDialog envelope={envelope} onDone={onDone} onClose={() => setAsking(false)} />}
    </Card>
  );
}

function remindersText(reminders: Envelope["metadata"]["reminders"]): string {
  if (reminders === null) return en.dates.off;
  return en.dates.shown(reminders.every_days, reminders.first_after_days, reminders.last_days_before);
}

const CustomerLink = ({ customer_id, name, email }: NonNullable<EnvelopeData["customer"]>) => (
  <>
    <Link to={`/customers/${customer_id}`}>{name ?? email ?? customer_id}</Link>
    {name !== null && email !== null && <span class="quiet"> {email}</span>}
  </>
);

const TemplateLink = ({ template_id }: { template_id: string }) => <Link to={`/templates/${template_id}`}>Open template</Link>;

function Party({ envelope: { metadata } }: { envelope: Envelope }) {
  const { secured_party } = metadata;
  if (secured_party === null) return <>–</>;
  const { name, role, address, email, identifier } = secured_party;
  return <>{[name, role, address, email, identifier].filter((one) => one !== undefined && one !== "").join(", ")}</>;
}
