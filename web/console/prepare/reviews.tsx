import type { EnvelopeDocument } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { namesOf } from "../envelopes/progress.ts";
import { Card } from "../parts/card.tsx";
import { Facts } from "../parts/facts.tsx";
import { me } from "../session.ts";
import { en as documentWords } from "../words/documents/en.ts";
import { en as words } from "../words/recipients/en.ts";
import { FirstPage } from "./first-page.tsx";
import { acts, beginsStep, hasFields, keyOf, orderOf, type Person } from "./people.ts";
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
      <button type="button" class="button" aria-label={`Change ${title.toLowerCase()}`} onClick={() => saveAndGo(step)}>
        Change
      </button>
    }
  >
    {children}
  </Card>
);

export function DocumentReview({ draft, saveAndGo }: StepProps) {
  const { envelope, document, documents, customer } = draft;
  return (
    <ReviewCard title="Documents" step="document" saveAndGo={saveAndGo}>
      <Facts
        facts={[
          ["Name", envelope.envelope_name],
          ["Customer", customer === null ? "–" : [customer.name, customer.email].filter((one) => one !== null).join(", ")],
          ["Pages", document.pages.length],
        ]}
      />
      <ul class="prepare-first-pages">
        {documents.map((one, index) => (
          <li key={one.document_id} class="prepare-shown-document">
            <FirstPage envelope_id={envelope.envelope_id} page={1 + pagesBefore(documents, index)} name={one.name} />
            <span>
              {one.name} <span class="quiet">{documentWords.pages(one.pages)}</span>
            </span>
          </li>
        ))}
      </ul>
    </ReviewCard>
  );
}

const pagesBefore = (documents: readonly EnvelopeDocument[], index: number): number =>
  documents.slice(0, index).reduce((sum, { pages }) => sum + pages, 0);

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
        <ol class={order === "steps" ? "prepare-reviewed-people in-steps" : "prepare-reviewed-people"}>
          {people.map((person, index) => (
            <li key={person.key}>
              {order === "steps" && beginsStep(people, index) && <StepLine step={person.step} />}
              <strong>{person.name}</strong> {person.email} <span class="quiet">{taskOf(person)}</span>
            </li>
          ))}
        </ol>
        {order !== "steps" && acting.length > 1 && <p>{words.asked[order]}</p>}
        {isMyTurn && <p>{words.signsNow}</p>}
        {unfilled.length > 0 && <p class="error">{words.noSigner(unfilled)}</p>}
        {kba_required && (
          <p>
            {unasked.length === 0
              ? "Everyone who acts answers questions before seeing the document."
              : `No questions are set for ${namesOf(unasked)}. They cannot open the document until you set some.`}
          </p>
        )}
      </ReviewCard>
      <ReviewCard title="Fields" step="fields" saveAndGo={saveAndGo}>
        <ul class="details">
          {people.filter(hasFields).map((person) => (
            <li key={person.key}>
              {person.name || person.role}: {countText(person, placed(person))}
            </li>
          ))}
        </ul>
      </ReviewCard>
    </>
  );
}

function countText({ kind }: Person, count: number): string {
  if (count > 0) return `${count} ${count === 1 ? "field" : "fields"}`;
  return kind === "signer" ? "no fields; a signature page is added at the end" : "no fields";
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
    ? "Off"
    : acceptance.isAccepted
      ? `On, terms ${acceptance.terms_version} accepted by ${acceptance.name}`
      : "On, but the certification terms are not accepted yet";
  return (
    <ReviewCard title="Options" step="options" saveAndGo={saveAndGo}>
      <Facts
        facts={[
          ["Message", message === null ? "None" : <span class="prepare-message">{message}</span>],
          ["E-mail subject", mail_subject ?? "Standard"],
          ["Expires", expires_in_days === 1 ? "After 1 day" : `After ${expires_in_days} days`],
          [
            "Automatic reminders",
            reminders === null ? "Off" : reminders.every_days === 1 ? "Every day" : `Every ${reminders.every_days} days`,
          ],
          ["Automatic vault storage", vault],
          ["Secured party", secured_party === null ? "None" : secured_party.name],
        ]}
      />
    </ReviewCard>
  );
}
