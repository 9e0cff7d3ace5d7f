import type { Recipient, Signer } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { lazy } from "../parts/lazy.tsx";
import { useSending } from "../sending.ts";
import { may } from "../session.ts";
import { en as words } from "../words/recipients/en.ts";
import { isDiscarded, isDraft, isOpen } from "./api.ts";
import { atTurn } from "./at-turn.ts";
import { openTask } from "./open-task.ts";
import { isSent, type RecipientAction } from "./recipient-actions.ts";
import { RecipientRow } from "./recipient-row.tsx";
import { remindWith } from "./remind-with.ts";
import type { EnvelopeData } from "./use-envelope.ts";

const AddDialog = lazy(async () => (await import("./add-dialog.tsx")).AddDialog);
const ChangeDialog = lazy(async () => (await import("./change-dialog.tsx")).ChangeDialog);
const LinkDialog = lazy(async () => (await import("./link-dialog.tsx")).LinkDialog);
const RemoveDialog = lazy(async () => (await import("./remove-dialog.tsx")).RemoveDialog);
const QuestionsDialog = lazy(async () => (await import("./questions-dialog.tsx")).QuestionsDialog);

interface RecipientsProps {
  readonly data: EnvelopeData;
  readonly onDone: (words: string) => Promise<void>;
}

/** The recipients by step, with the actions for each. */
export function Recipients({ data, onDone }: RecipientsProps) {
  const { envelope, recipients, signers } = data;
  const { envelope_id, status } = envelope;
  const sending = useSending();
  const [asking, setAsking] = useState<{ act: RecipientAction; email: string } | "add" | null>(null);
  const turn = isOpen(status) ? atTurn(recipients) : [];
  const asked = asking === null || asking === "add" ? undefined : recipients.find(({ email }) => email === asking.email);
  const act = asking === null || asking === "add" ? null : asking.act;
  const close = () => setAsking(null);
  const running = turn[0]?.step ?? 1;
  const isActing = isOpen(status) && may("envelopes:write");
  const isStepped = envelope.metadata.signing_order === "steps";
  const remind = remindWith(data, onDone);
  const reset = async ({ slug, name }: Recipient) => {
    // Users who see the button also see the slug.
    if (slug === null) return;
    await call("reset_signer_identity", { params: { envelope_id, slug } });
    await onDone(words.unlocked(name));
  };
  return (
    <Card
      title={words.title}
      actions={
        isActing && (
          <button type="button" class="button" onClick={() => setAsking("add")}>
            {words.addOne}
          </button>
        )
      }
    >
      {(isOpen(status) || status === "completed" || status === "vaulted") && <SignedSoFar recipients={recipients} />}
      {recipients.length === 0 ? (
        <p class="quiet">{isDraft(status) ? words.none : isDiscarded(envelope) ? words.neverSent : words.alreadySigned}</p>
      ) : (
        <ol class={isActing ? "envelope-signers acting" : "envelope-signers"}>
          {recipients.map((recipient, index) => (
            <RecipientRow
              key={recipient.email}
              recipient={recipient}
              details={detailsOf(signers, recipient)}
              step={isStepped && recipients[index - 1]?.step !== recipient.step ? recipient.step : null}
              data={data}
              isAtTurn={turn.includes(recipient)}
              sending={sending}
              onRemind={() => remind([recipient.email])}
              onReset={() => reset(recipient)}
              onOpen={async () => {
                if (recipient.slug !== null) await openTask(envelope_id, recipient.slug);
              }}
              onAsk={(wanted) => setAsking({ act: wanted, email: recipient.email })}
            />
          ))}
        </ol>
      )}
      <ErrorNotice error={sending.error} />
      {isActing && <ApiCall operation="remind_signers" given={{ params: { envelope_id }, body: {} }} />}
      {asking === "add" && (
        <AddDialog envelope_id={envelope_id} recipients={recipients} running={running} onDone={onDone} onClose={close} />
      )}
      {isSent(asked) && (
        <>
          {act === "link" && <LinkDialog envelope_id={envelope_id} recipient={asked} onDone={onDone} onClose={close} />}
          {act === "questions" && <QuestionsDialog envelope_id={envelope_id} recipient={asked} onDone={onDone} onClose={close} />}
          {act === "change" && (
            <ChangeDialog
              envelope_id={envelope_id}
              recipient={asked}
              recipients={recipients}
              running={running}
              onDone={onDone}
              onClose={close}
            />
          )}
          {act === "remove" && <RemoveDialog envelope_id={envelope_id} recipient={asked} onDone={onDone} onClose={close} />}
        </>
      )}
    </Card>
  );
}

/** How many of those who have a task have done it. */
function SignedSoFar({ recipients }: { recipients: readonly Recipient[] }) {
  const tasks = recipients.filter(({ kind }) => kind !== "cc");
  const done = tasks.filter(({ status }) => status === "signed" || status === "approved" || status === "confirmed");
  if (tasks.length === 0) return null;
  return (
    <div class="stack tight">
      <p class="quiet small">
        {words.doneOf(
          done.length,
          tasks.length,
          tasks.every(({ kind }) => kind === "signer"),
        )}
      </p>
      <div class="envelope-progress" aria-hidden="true">
        <span style={{ inlineSize: `${(100 * done.length) / tasks.length}%` }} />
      </div>
    </div>
  );
}

/** What only signers have: when they opened the document, and whether they asked for paper. */
const detailsOf = (signers: readonly Signer[], { kind, email }: Recipient): Signer | null =>
  kind === "signer" ? (signers.find((one) => one.email === email) ?? null) : null;
