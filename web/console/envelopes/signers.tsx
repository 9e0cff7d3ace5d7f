import type { Signer } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Act } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { useSending } from "../sending.ts";
import { may } from "../session.ts";
import { isDraft, isOpen } from "./api.ts";
import { CorrectDialog } from "./correct-dialog.tsx";
import { LinkDialog } from "./link-dialog.tsx";
import type { Whole } from "./live.ts";
import { QuestionsDialog } from "./questions-dialog.tsx";
import { isNamed, type SignerAct } from "./signer-acts.ts";
import { SignerRow } from "./signer-row.tsx";
import { atTurn, namesOf } from "./story.ts";

interface SignersProps {
  readonly whole: Whole;
  readonly onDone: (words: string) => Promise<void>;
}

/** The signers in their order, with the actions for each. */
export function Signers({ whole, onDone }: SignersProps) {
  const { envelope, signers, story } = whole;
  const { envelope_id, status } = envelope;
  const sending = useSending();
  const [asking, setAsking] = useState<{ act: SignerAct; email: string } | null>(null);
  const turn = isOpen(status) ? atTurn(story, signers) : [];
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
        may("member") && (
          <Act sending={sending} onAct={() => remind()}>
            Remind all
          </Act>
        )
      }
    >
      {signers.length === 0 ? (
        <p class="quiet">
          {isDraft(status) ? "No signers yet." : "This document was already signed when it was stored, so it has no signers here."}
        </p>
      ) : (
        <ol class={isOpen(status) && may("member") ? "envelope-signers acting" : "envelope-signers"}>
          {signers.map((signer) => (
            <SignerRow
              key={signer.order}
              signer={signer}
              whole={whole}
              isAtTurn={turn.includes(signer)}
              sending={sending}
              onRemind={() => remind([signer.email])}
              onReset={() => reset(signer)}
              onAsk={(act) => setAsking({ act, email: signer.email })}
            />
          ))}
        </ol>
      )}
      <Trouble of={sending.error} />
      {isOpen(status) && may("member") && <ApiCall operation="remind_signers" given={{ params: { envelope_id }, body: {} }} />}
      {asking?.act === "link" && isNamed(asked) && <LinkDialog {...dialog} signer={asked} />}
      {asking?.act === "correct" && isNamed(asked) && <CorrectDialog {...dialog} signer={asked} isAtTurn={turn.includes(asked)} />}
      {asking?.act === "questions" && isNamed(asked) && <QuestionsDialog {...dialog} signer={asked} />}
    </Card>
  );
}
