import type { ComponentChildren } from "preact";
import { namesOf } from "../envelopes/progress.ts";
import { Card } from "../parts/card.tsx";
import { Facts } from "../parts/facts.tsx";
import type { Person } from "./people.ts";
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
  const { envelope, document, customer } = draft;
  return (
    <ReviewCard title="Document" step="document" saveAndGo={saveAndGo}>
      <Facts
        facts={[
          ["Name", envelope.envelope_name],
          ["Customer", customer === null ? "–" : [customer.name, customer.email].filter((one) => one !== null).join(", ")],
          ["Pages", document.pages.length],
        ]}
      />
    </ReviewCard>
  );
}

interface PeopleReviewProps extends StepProps {
  readonly people: readonly Person[];
  /** signers who must answer questions but have none */
  readonly unasked: readonly Person[];
}

export function PeopleReview({ draft, saveAndGo, people, unasked }: PeopleReviewProps) {
  const { document, envelope } = draft;
  const { signing_order, kba_required } = envelope.metadata;
  const unfilled = document.roles.filter((role) => !people.some((one) => one.role === role));
  const placed = (person: Person, index: number) =>
    document.fields.filter(({ role }) => (role === null ? index === 0 : role === person.role)).length;
  return (
    <>
      <ReviewCard title="Signers" step="people" saveAndGo={saveAndGo}>
        <ol class="prepare-reviewed-people">
          {people.map((person) => (
            <li key={person.key}>
              <strong>{person.name}</strong> {person.email} <span class="quiet">as {person.role}</span>
            </li>
          ))}
        </ol>
        <p>
          {people.length === 1
            ? ""
            : signing_order === "parallel"
              ? "Signers are asked at the same time."
              : "Signers are asked one after another."}
        </p>
        {unfilled.length > 0 && <p class="error">No signer for the role {unfilled.join(", ")} yet.</p>}
        {kba_required && (
          <p>
            {unasked.length === 0
              ? "Each signer answers questions before seeing the document."
              : `No questions are set for ${namesOf(unasked)}. They cannot open the document until you set some.`}
          </p>
        )}
      </ReviewCard>
      <ReviewCard title="Fields" step="fields" saveAndGo={saveAndGo}>
        <ul class="details">
          {people.map((person, index) => (
            <li key={person.key}>
              {person.name || person.role}: {countText(placed(person, index))}
            </li>
          ))}
        </ul>
      </ReviewCard>
    </>
  );
}

const countText = (count: number): string =>
  count === 0 ? "no fields; a signature page is added at the end" : `${count} ${count === 1 ? "field" : "fields"}`;

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
