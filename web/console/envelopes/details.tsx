import type { Envelope } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { listAll } from "../api.ts";
import { Link } from "../link.tsx";
import { Card } from "../parts/card.tsx";
import { Facts } from "../parts/facts.tsx";
import { lazy } from "../parts/lazy.tsx";
import { local, When } from "../parts/when.tsx";
import { may, me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as pageWords } from "../words/envelope/en.ts";
import { en } from "../words/repeat/en.ts";
import { isDiscarded, isDraft, isOpen } from "./api.ts";
import type { EnvelopeData } from "./use-envelope.ts";

const OwnerDialog = lazy(async () => (await import("./owner-dialog.tsx")).OwnerDialog);
const DatesDialog = lazy(async () => (await import("./dates-dialog.tsx")).DatesDialog);

const words = pageWords.details;

interface DetailsProps {
  readonly data: EnvelopeData;
  readonly onDone: (words: string) => Promise<void>;
}

/** The facts and settings of the envelope. */
export function Details({ data: { envelope, customer, recipients }, onDone }: DetailsProps) {
  const [asking, setAsking] = useState<"dates" | "owner" | null>(null);
  const { template_id, external_id, created_at, updated_at, metadata } = envelope;
  const { sent_at, reminders, kba_required, auto_vault_enabled, custom } = metadata;
  return (
    <Card
      title={words.title}
      actions={
        may("envelopes:write") && (
          <>
            {isOpen(envelope.status) && (
              <button type="button" class="button" onClick={() => setAsking("dates")}>
                {en.dates.button}
              </button>
            )}
            <button type="button" class="button" onClick={() => setAsking("owner")}>
              {pageWords.owner.change}
            </button>
          </>
        )
      }
    >
      <Facts
        facts={[
          [words.customer, customer === null ? "–" : <CustomerLink key="c" {...customer} />],
          [pageWords.owner.fact, <Owner key="o" user_id={metadata.owner_user_id} />],
          [words.external, external_id ?? "–"],
          [words.template, template_id === null ? words.none : <TemplateLink key="t" template_id={template_id} />],
          [words.created, <When key="a" at={created_at} />],
          [words.sent, <When key="s" at={sent_at} otherwise={isDiscarded(envelope) ? words.neverSent : words.notSent} />],
          [words.updated, <When key="u" at={updated_at} />],
          ...expiryOf(envelope),
          [words.order, recipients.length === 0 ? "–" : words.orders[metadata.signing_order]],
          [en.dates.fact, remindersText(reminders)],
          [words.questions, kba_required ? words.asked : words.none],
          [words.vault, auto_vault_enabled ? words.vaultOn : words.vaultOff],
          [words.party, <Party key="p" envelope={envelope} />],
          [words.metadata, custom === null ? "–" : <pre class="envelope-metadata">{JSON.stringify(custom, null, 2)}</pre>],
        ]}
      />
      {asking === "dates" && <DatesDialog envelope={envelope} onDone={onDone} onClose={() => setAsking(null)} />}
      {asking === "owner" && <OwnerDialog envelope={envelope} onDone={onDone} onClose={() => setAsking(null)} />}
    </Card>
  );
}

/** What has ended in another way no longer expires. */
function expiryOf(envelope: Envelope): readonly (readonly [string, string])[] {
  const { expires_at } = envelope.metadata;
  if (isDraft(envelope.status)) return [[words.expires, words.expiresLater]];
  if (expires_at === null) return [];
  if (envelope.status === "expired") return [[words.expired, local(expires_at)]];
  return isOpen(envelope.status) ? [[words.expires, local(expires_at)]] : [];
}

/** The member who looks after the envelope. The others are looked up by name only if it is one of them. */
function Owner({ user_id }: { user_id: string | null }) {
  const isOther = user_id !== null && user_id !== me().user.user_id;
  const { data, error } = useLoad(`owner ${user_id}`, async () => (isOther ? listAll("list_members") : []));
  if (user_id === null) return <>{pageWords.owner.none}</>;
  if (!isOther) return <>{me().user.name}</>;
  if (error !== null || data === null) return <>–</>;
  return <>{data.find((one) => one.user_id === user_id)?.name ?? pageWords.owner.former}</>;
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

const TemplateLink = ({ template_id }: { template_id: string }) => <Link to={`/templates/${template_id}`}>{words.openTemplate}</Link>;

function Party({ envelope: { metadata } }: { envelope: Envelope }) {
  const { secured_party } = metadata;
  if (secured_party === null) return <>–</>;
  const { name, role, address, email, identifier } = secured_party;
  return <>{[name, role, address, email, identifier].filter((one) => one !== undefined && one !== "").join(", ")}</>;
}
