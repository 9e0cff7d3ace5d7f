import type { EnvelopeAuditEntry, Member, Recipient } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { list, listAll } from "../api.ts";
import { Link } from "../link.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Glyph, type GlyphName } from "../parts/glyph.tsx";
import { lazy } from "../parts/lazy.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { local } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";
import { en, type HumanEvent, type Said } from "../words/activity/en.ts";
import { actorName } from "./actor-name.ts";
import { namesOf } from "./names-of.ts";

const TechnicalText = lazy(async () => (await import("./technical-text.tsx")).TechnicalText);

type Kind = Exclude<keyof typeof en.filters, "all">;
type Tone = "plain" | "good" | "caution" | "bad" | "accent";

const looks: Readonly<Record<HumanEvent, readonly [Kind, GlyphName, Tone]>> = {
  "envelope.created": ["changes", "plus", "plain"],
  "envelope.owner_changed": ["changes", "person", "plain"],
  "envelope.expiry_changed": ["changes", "calendar", "plain"],
  "envelope.reminders_changed": ["changes", "bell", "plain"],
  "envelope.tagged": ["changes", "tag", "plain"],
  "envelope.sent": ["signing", "send", "accent"],
  "envelope.reminded": ["mail", "bell", "caution"],
  "envelope.completed": ["signing", "check", "good"],
  "envelope.declined": ["signing", "cross", "bad"],
  "envelope.voided": ["signing", "cross", "bad"],
  "envelope.expired": ["signing", "clock", "bad"],
  "recipient.added": ["changes", "person", "plain"],
  "recipient.removed": ["changes", "person", "plain"],
  "recipient.replaced": ["changes", "pencil", "plain"],
  "recipient.opened": ["signing", "eye", "plain"],
  "recipient.approved": ["signing", "check", "good"],
  "recipient.confirmed": ["signing", "check", "good"],
  "recipient.notified": ["mail", "mail", "plain"],
  "form.confirmed": ["signing", "check", "plain"],
  "signer.corrected": ["changes", "pencil", "plain"],
  "signer.link_handed_over": ["signing", "link", "plain"],
  "signer.link_sent": ["mail", "link", "plain"],
  "signer.opened": ["signing", "eye", "plain"],
  "signer.paper_requested": ["signing", "page", "caution"],
  "consent.withdrawn": ["signing", "cross", "caution"],
  "identity.locked": ["signing", "warning", "bad"],
  "identity.reset": ["changes", "check", "plain"],
  "kba.locked": ["signing", "warning", "bad"],
  "kba.reset": ["changes", "check", "plain"],
  "mail.failed": ["mail", "warning", "bad"],
  "mail.delivered": ["mail", "mail", "plain"],
  "mail.bounced": ["mail", "warning", "bad"],
  "mail.complained": ["mail", "warning", "bad"],
  "signature.applied": ["signing", "sign", "good"],
  "document.received": ["documents", "page", "plain"],
  "copy.issued": ["documents", "download", "plain"],
  "vault.stored": ["documents", "vault", "good"],
  "vault.document.tamper_detected": ["documents", "warning", "bad"],
};

const isHuman = (type: string): type is HumanEvent => Object.hasOwn(looks, type);

interface ActivityProps {
  readonly envelope_id: string;
  readonly recipients: readonly Recipient[];
  /** a draft that was never sent */
  readonly isDiscarded: boolean;
  /** reloads when this changes */
  readonly changed: string;
}

const LATEST = 100;

/** What happened, newest first: one sentence for each event that a person cares about, and the technical ones on request. */
export function Activity({ envelope_id, recipients, isDiscarded, changed }: ActivityProps) {
  const given = { params: { envelope_id }, query: { page: 1, limit: LATEST } };
  const loaded = useLoad(`${envelope_id} ${changed}`, () => list("list_envelope_audit_trail", given));
  const members = useLoad("", () => listAll("list_members"));
  const [shown, setShown] = useState<keyof typeof en.filters>("all");
  const [isTechnical, setTechnical] = useState(false);
  const all = loaded.data?.data ?? [];
  const people = all.filter(({ type }) => isHuman(type)).filter(isFirstMark);
  const technical = all.filter(({ type }) => !isHuman(type));
  const entries = isTechnical ? all : people.filter(({ type }) => shown === "all" || (isHuman(type) && looks[type][0] === shown));
  const isCut = (loaded.data?.meta.total ?? 0) > all.length;
  return (
    <Card
      title={en.title}
      actions={
        <Link to={`/envelopes/${envelope_id}?tab=timeline`} class="small">
          {en.full}
        </Link>
      }
    >
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {loaded.data === null && loaded.isSlow && <Skeleton lines={4} />}
      {!isTechnical && people.length > 0 && (
        <fieldset class="choices">
          <legend class="hidden-visually">{en.filter}</legend>
          {kindsIn(people).map((kind) => (
            <button key={kind} type="button" class="choice" aria-pressed={kind === shown} onClick={() => setShown(kind)}>
              {en.filters[kind]}
            </button>
          ))}
        </fieldset>
      )}
      {loaded.data !== null && entries.length === 0 && <p class="quiet">{all.length === 0 ? en.none : en.noneOfKind}</p>}
      <ol class="envelope-activity">
        {entries.map((item) => (
          <Entry key={item.seq} item={item} recipients={recipients} members={members.data ?? []} isDiscarded={isDiscarded} />
        ))}
      </ol>
      {isCut && <p class="quiet small">{en.latest(all.length)}</p>}
      {technical.length > 0 && (
        <button type="button" class="button quiet" aria-expanded={isTechnical} onClick={() => setTechnical(!isTechnical)}>
          {isTechnical ? en.hideTechnical : en.technical(technical.length)}
        </button>
      )}
    </Card>
  );
}

/** The filters that find something, if there is a choice. */
function kindsIn(entries: readonly EnvelopeAuditEntry[]): readonly (keyof typeof en.filters)[] {
  const kinds = new Set(entries.flatMap(({ type }) => (isHuman(type) ? [looks[type][0]] : [])));
  const offered = (Object.keys(en.filters) as (keyof typeof en.filters)[]).filter((kind) => kind === "all" || kinds.has(kind));
  return offered.length > 2 ? offered : [];
}

/** Each field that a person signs is an entry. The sentence is needed once. */
const isFirstMark = (one: EnvelopeAuditEntry, index: number, all: readonly EnvelopeAuditEntry[]): boolean =>
  one.type !== "signature.applied" || all[index - 1]?.type !== one.type || all[index - 1]?.actor.id !== one.actor.id;

interface EntryProps {
  readonly item: EnvelopeAuditEntry;
  readonly recipients: readonly Recipient[];
  readonly members: readonly Member[];
  readonly isDiscarded: boolean;
}

function Entry({ item, recipients, members, isDiscarded }: EntryProps) {
  const { type, at, seq, actor, data, hash } = item;
  const said = { ...saidIn(item, recipients, members), isDiscarded };
  const [, icon, tone] = isHuman(type) ? looks[type] : (["changes", "page", "plain"] as const);
  const text = isHuman(type) ? en.events[type](said) : null;
  const rest = text?.startsWith(said.who) === true ? text.slice(said.who.length) : null;
  return (
    <li>
      <span class={`envelope-dot ${tone}`}>
        <Glyph name={icon} />
      </span>
      <div>
        <p>
          {rest === null ? (
            (text ?? <TechnicalText type={type} />)
          ) : (
            <>
              <strong>{said.who}</strong>
              {rest}
            </>
          )}
        </p>
        <details class="envelope-entry-data">
          <summary>
            <time dateTime={at}>{local(at)}</time>
            {said.isAutomatic && isHuman(type) && `, ${en.automatic}`}
            {data?.by === "test_operation" && `, ${en.byTest}`}
            <span class="hidden-visually">, {en.entry}</span>
          </summary>
          {data === null && <p class="quiet">{en.erased}</p>}
          <pre>{JSON.stringify({ seq, type, at, actor, ...(data !== null && { data }), hash }, null, 2)}</pre>
        </details>
      </div>
    </li>
  );
}

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** Entries name people by address, by name, or by both. */
function saidIn(
  { actor, data }: EnvelopeAuditEntry,
  recipients: readonly Recipient[],
  members: readonly Member[],
): Omit<Said, "isDiscarded"> {
  const nameOf = (email: string): string => recipients.find((one) => one.email.toLowerCase() === email.toLowerCase())?.name ?? email;
  const personOf = (value: unknown): string[] => {
    const { name, email } = Object(value) as { name?: unknown; email?: unknown };
    const address = textOf(value) ?? textOf(email);
    const found = textOf(name) ?? (address === null ? null : nameOf(address));
    return found === null ? [] : [found];
  };
  const who = actorName(actor, recipients, members);
  const { to, name, email, user_email, issued_to, reminded, signers, recipients: sentTo, reason } = data ?? {};
  const lists = [reminded, sentTo, signers].find((one) => Array.isArray(one)) as readonly unknown[] | undefined;
  // A copy is issued to an address, or to the member or key that asked for it.
  const isAddress = textOf(issued_to)?.includes("@") !== false;
  const issued = isAddress ? issued_to : actor.kind === "key" ? en.actors.aKey : who;
  const people = lists === undefined ? [to, user_email, issued, { name, email }].flatMap(personOf).slice(0, 1) : lists.flatMap(personOf);
  return {
    who,
    people: people.length === 0 ? en.actors.someone : namesOf(people.map((one) => ({ name: one }))),
    reason: textOf(reason),
    isAutomatic: actor.kind === "system",
  };
}
