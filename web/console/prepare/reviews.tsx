import type { ComponentChildren } from "preact";
import { namesOf } from "../envelopes/story.ts";
import { Card } from "../parts/card.tsx";
import { Facts } from "../parts/facts.tsx";
import type { Person } from "./people.ts";
import type { Step } from "./steps.tsx";
import type { StepProps } from "./wizard.ts";

interface ReviewedProps {
  readonly title: string;
  readonly step: Step;
  readonly leave: StepProps["leave"];
  readonly children: ComponentChildren;
}

const Reviewed = ({ title, step, leave, children }: ReviewedProps) => (
  <Card
    title={title}
    actions={
      <button type="button" class="button" aria-label={`Change ${title.toLowerCase()}`} onClick={() => leave(step)}>
        Change
      </button>
    }
  >
    {children}
  </Card>
);

export function DocumentReview({ draft, leave }: StepProps) {
  const { envelope, document, customer } = draft;
  return (
    <Reviewed title="Document" step="document" leave={leave}>
      <Facts
        facts={[
          ["Name", envelope.envelope_name],
          ["Customer", customer === null ? "–" : [customer.name, customer.email].filter((one) => one !== null).join(", ")],
          ["Pages", document.pages.length],
        ]}
      />
    </Reviewed>
  );
}

interface PeopleReviewProps extends StepProps {
  readonly people: readonly Person[];
  /** who must answer questions and has none */
  readonly unasked: readonly Person[];
}

export function PeopleReview({ draft, leave, people, unasked }: PeopleReviewProps) {
  const { document, envelope } = draft;
  const { signing_order, kba_required } = envelope.metadata;
  const unfilled = document.roles.filter((role) => !people.some((one) => one.role === role));
  const placed = (person: Person, index: number) =>
    document.fields.filter(({ role }) => (role === null ? index === 0 : role === person.role)).length;
  return (
    <>
      <Reviewed title="People" step="people" leave={leave}>
        <ol class="prepare-reviewed-people">
          {people.map((person) => (
            <li key={person.key}>
              <strong>{person.name}</strong> {person.email} <span class="quiet">as {person.role}</span>
            </li>
          ))}
        </ol>
        <p>{people.length === 1 ? "" : signing_order === "parallel" ? "All are asked at once." : "They are asked one after the other."}</p>
        {unfilled.length > 0 && <p class="error">Nobody signs as {unfilled.join(", ")} yet.</p>}
        {kba_required && (
          <p>
            {unasked.length === 0
              ? "Each answers questions before the document is shown."
              : `No questions are set for ${namesOf(unasked)}: they cannot open it until there are some.`}
          </p>
        )}
      </Reviewed>
      <Reviewed title="Fields" step="fields" leave={leave}>
        <ul class="details">
          {people.map((person, index) => (
            <li key={person.key}>
              {person.name || person.role}: {countWords(placed(person, index))}
            </li>
          ))}
        </ul>
      </Reviewed>
    </>
  );
}

const countWords = (count: number): string =>
  count === 0 ? "no fields; a page to sign on is put at the end" : `${count} ${count === 1 ? "field" : "fields"}`;

export function OptionsReview({ draft, memory, leave }: StepProps) {
  const { auto_vault_enabled, secured_party, message, expires_in_days, reminders } = draft.envelope.metadata;
  const { acceptance } = memory;
  const vault = !auto_vault_enabled
    ? "Not by itself"
    : acceptance.isAccepted
      ? `By itself; terms ${acceptance.terms_version} accepted by ${acceptance.name}`
      : "By itself; the certification terms are not accepted yet";
  return (
    <Reviewed title="Options" step="options" leave={leave}>
      <Facts
        facts={[
          ["Message", message === null ? "None" : <span class="prepare-said">{message}</span>],
          ["Expires", expires_in_days === 1 ? "After one day" : `After ${expires_in_days} days`],
          [
            "Reminders",
            reminders === null ? "None by themselves" : reminders.every_days === 1 ? "Every day" : `Every ${reminders.every_days} days`,
          ],
          ["Vault", vault],
          ["Secured party", secured_party === null ? "None" : secured_party.name],
        ]}
      />
    </Reviewed>
  );
}
