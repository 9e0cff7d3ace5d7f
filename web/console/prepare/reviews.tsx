import type { ComponentChildren } from "preact";
import { namesOf } from "../envelopes/names-of.ts";
import { Card } from "../parts/card.tsx";
import { Facts } from "../parts/facts.tsx";
import { me } from "../session.ts";
import { en as documentWords } from "../words/documents/en.ts";
import { en as identityWords } from "../words/identity-check/en.ts";
import { en as words } from "../words/recipients/en.ts";
import { en } from "../words/review/en.ts";
import { lacksCode } from "./identity.ts";
import { beginsStep } from "./order.ts";
import { acts, hasFields, keyOf, orderOf, type Person } from "./people.ts";
import { StepLine } from "./step-line.tsx";
import type { Step } from "./steps.tsx";
import type { StepProps } from "./wizard.ts";

interface ReviewCardProps {
  readonly title: string;
  readonly step: Step;
  readonly saveAndGo: StepProps["saveAndGo"];
  readonly children: ComponentChildren;
}

const ReviewCard = ({ title, step, saveAndGo, children }: ReviewCardProps) => (
  <Card
    title={title}
    actions={
      <button type="button" class="button" aria-label={en.changeOne(title)} onClick={() => saveAndGo(step)}>
        {en.change}
      </button>
    }
  >
    {children}
  </Card>
);

export function DocumentReview({ draft, saveAndGo }: StepProps) {
  const { envelope, document, documents, customer } = draft;
  return (
    <ReviewCard title={en.documents} step="document" saveAndGo={saveAndGo}>
      <Facts
        facts={[
          [en.name, envelope.envelope_name],
          [en.customer, customer === null ? "–" : [customer.name, customer.email].filter((one) => one !== null).join(", ")],
          [en.pages, document.pages.length],
        ]}
      />
      {documents.length > 1 && (
        <ol class="details">
          {documents.map((one) => (
            <li key={one.document_id}>
              {one.name} <span class="quiet">{documentWords.pages(one.pages)}</span>
            </li>
          ))}
        </ol>
      )}
    </ReviewCard>
  );
}

/** What fields contain before anyone fills them in: values that were prefilled, and defaults. */
export function ValuesReview({ draft, saveAndGo }: StepProps) {
  const values = new Map<string, ReadonlySet<string>>();
  for (const { name, prefilled, default_value } of draft.document.fields) {
    const value = prefilled ?? default_value ?? "";
    if (value !== "") values.set(name, new Set([...(values.get(name) ?? []), value]));
  }
  if (values.size === 0) return null;
  return (
    <ReviewCard title={en.values} step="fields" saveAndGo={saveAndGo}>
      <Facts facts={[...values].map(([name, all]) => [name, <span class="prepare-message">{[...all].join(" · ")}</span>])} />
    </ReviewCard>
  );
}

interface PeopleReviewProps extends StepProps {
  readonly people: readonly Person[];
  /** people who must answer questions but have none */
  readonly unasked: readonly Person[];
}

export function PeopleReview({ draft, saveAndGo, people, unasked }: PeopleReviewProps) {
  const { document, envelope } = draft;
  const { kba_required } = envelope.metadata;
  const order = orderOf(draft);
  const acting = people.filter(acts);
  const isFirst = (person: Person) => (order === "steps" ? person.step === 1 : order === "parallel" || person === acting[0]);
  const isMyTurn = acting.some((one) => one.delivery === "link" && keyOf(one.email) === keyOf(me().user.email) && isFirst(one));
  const unfilled = document.roles.filter((role) => !people.some((one) => one.role === role));
  const firstSigner = people.find(({ kind }) => kind === "signer");
  const placed = (person: Person) =>
    document.fields.filter(({ role }) => (role === null ? person === firstSigner : role === person.role)).length;
  return (
    <>
      <ReviewCard title={words.title} step="people" saveAndGo={saveAndGo}>
        <Many count={people.length}>
          <ol class={order === "steps" ? "prepare-reviewed-people in-steps" : "prepare-reviewed-people"}>
            {people.map((person, index) => (
              <li key={person.key}>
                {order === "steps" && beginsStep(people, index) && <StepLine step={person.step} />}
                <strong>{person.name}</strong> {person.email} <span class="quiet">{taskOf(person)}</span>
                {acts(person) && person.identity.check !== "none" && (
                  <p class="quiet small">{en.checkedBy(identityWords.checks[person.identity.check])}</p>
                )}
                {acts(person) && lacksCode(person.identity) && <p class="error">{en.codeMissing}</p>}
              </li>
            ))}
          </ol>
        </Many>
        {order !== "steps" && acting.length > 1 && <p>{words.asked[order]}</p>}
        {isMyTurn && <p>{words.signsNow}</p>}
        {unfilled.length > 0 && <p class="error">{words.noSigner(unfilled)}</p>}
        {kba_required && <p>{unasked.length === 0 ? en.everyoneAsked : en.notAsked(namesOf(unasked))}</p>}
      </ReviewCard>
      <ReviewCard title={en.fields} step="fields" saveAndGo={saveAndGo}>
        <Many count={people.filter(hasFields).length}>
          <ul class="details">
            {people.filter(hasFields).map((person) => (
              <li key={person.key}>
                {person.name || person.role}: {countText(person, placed(person))}
              </li>
            ))}
          </ul>
        </Many>
      </ReviewCard>
    </>
  );
}

// As many as fit into the window beside the pages.
const LISTED = 20;

/** A long list is shown on request. */
function Many({ count, children }: { count: number; children: ComponentChildren }) {
  if (count <= LISTED) return <>{children}</>;
  return (
    <details>
      <summary>{words.showAll(count)}</summary>
      {children}
    </details>
  );
}

function countText({ kind }: Person, count: number): string {
  if (count > 0) return en.count(count);
  return kind === "signer" ? en.signaturePage : en.noFields;
}

/** What the person does, and as whom. */
function taskOf({ kind, role, delivery }: Person): string {
  const as = hasFields({ kind }) && role !== "" ? words.as(role) : "";
  const link = delivery === "link" && acts({ kind }) ? words.byLink : "";
  return [kind === "signer" && as !== "" ? as : [words.kinds[kind], as].filter(Boolean).join(" "), link].filter(Boolean).join(" · ");
}

export function OptionsReview({ draft, memory, saveAndGo }: StepProps) {
  const { auto_vault_enabled, secured_party, message, mail_subject, expires_in_days, reminders } = draft.envelope.metadata;
  const { acceptance } = memory;
  const vault = !auto_vault_enabled
    ? en.off
    : acceptance.isAccepted
      ? en.accepted(acceptance.terms_version, acceptance.name)
      : en.notAccepted;
  return (
    <ReviewCard title={en.options} step="options" saveAndGo={saveAndGo}>
      <Facts
        facts={[
          [en.message, message === null ? en.none : <span class="prepare-message">{message}</span>],
          [en.subject, mail_subject ?? en.standard],
          [en.expires, en.afterDays(expires_in_days)],
          [en.reminders, reminders === null ? en.off : en.everyDays(reminders.every_days)],
          [en.vault, vault],
          [en.party, secured_party === null ? en.none : secured_party.name],
        ]}
      />
    </ReviewCard>
  );
}
