import type { Signer } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { ActionButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useSending } from "../sending.ts";
import { hasRole } from "../session.ts";
import { isDraft, isOpen } from "./api.ts";
import { CorrectDialog } from "./correct-dialog.tsx";
import { LinkDialog } from "./link-dialog.tsx";
import { atTurn, namesOf } from "./progress.ts";
import { QuestionsDialog } from "./questions-dialog.tsx";
import { hasSlug, type SignerAction } from "./signer-actions.ts";
import { SignerRow } from "./signer-row.tsx";
import type { EnvelopeData } from "./use-envelope.ts";

interface SignersProps {
  readonly data: EnvelopeData;
  readonly onDone: (words: string) => Promise<void>;
}

/** The signers in their order, with the actions for each. */
export function Signers({ data, onDone }: SignersProps) {
  const { envelope, signers, progress } = data;
  const { envelope_id, status } = envelope;
  const sending = useSending();
  const [asking, setAsking] = useState<{ act: SignerAction; email: string } | null>(null);
  const turn = isOpen(status) ? atTurn(progress, signers) : [];
  const asked = signers.find(({ email }) => email === asking?.email);
  const dialog = { envelope_id, onDone, onClose: () => setAsking(null) };
  const remind = async (emails?: readonly string[]) => {
    const body = emails === undefined ? {} : { emails };
    const { reminded } = await call("remind_signers", { params: { envelope_id }, body });
    const isReminded = ({ email }: Signer) => reminded.includes(email);
    const skipped = turn.filter((one) => !isReminded(one) && (emails === undefined || emails.includes(one.email)));
    const skippedText = skipped.length === 0 ? "" : ` Skipped, because they were reminded a moment ago: ${namesOf(skipped)}.`;
    await onDone(`Reminder sent to ${namesOf(turn.filter(isReminded))}.${skippedText}`);
  };
  const reset = async ({ slug, name }: Signer) => {
    // Users who see the button also see the slug.
    if (slug === null) return;
    await call("reset_identity_questions", { params: { envelope_id, slug } });
    await onDone(`${name} can answer the questions again.`);
  };
  return (
    <Card
      title="Signers"
      actions={
        turn.length > 1 &&
        hasRole("member") && (
          <ActionButton sending={sending} onAction={() => remind()}>
            Remind all
          </ActionButton>
        )
      }
    >
      {signers.length === 0 ? (
        <p class="quiet">
          {isDraft(status) ? "No signers yet." : "This document was already signed when it was stored, so it has no signers here."}
        </p>
      ) : (
        <ol class={isOpen(status) && hasRole("member") ? "envelope-signers acting" : "envelope-signers"}>
          {signers.map((signer) => (
            <SignerRow
              key={signer.order}
              signer={signer}
              data={data}
              isAtTurn={turn.includes(signer)}
              sending={sending}
              onRemind={() => remind([signer.email])}
              onReset={() => reset(signer)}
              onAsk={(act) => setAsking({ act, email: signer.email })}
            />
          ))}
        </ol>
      )}
      <ErrorNotice error={sending.error} />
      {isOpen(status) && hasRole("member") && <ApiCall operation="remind_signers" given={{ params: { envelope_id }, body: {} }} />}
      {asking?.act === "link" && hasSlug(asked) && <LinkDialog {...dialog} signer={asked} />}
      {asking?.act === "correct" && hasSlug(asked) && <CorrectDialog {...dialog} signer={asked} isAtTurn={turn.includes(asked)} />}
      {asking?.act === "questions" && hasSlug(asked) && <QuestionsDialog {...dialog} signer={asked} />}
    </Card>
  );
}
