import type { Envelope } from "@countersign/client/types";
import { useEffect, useState } from "preact/hooks";
import { useSending } from "../sending.ts";
import { me } from "../session.ts";
import { en } from "../words/deposit/en.ts";
import { emptyForm } from "./attestation.ts";
import { AttestationStep } from "./attestation-step.tsx";
import { type DepositForm, sendDeposit } from "./deposit-form.ts";
import { nothingDeclared } from "./instrument-fields.tsx";
import { KindStep } from "./kind-step.tsx";
import { noParty } from "./party-fields.tsx";
import { Preview } from "./preview.tsx";
import { ReviewStep } from "./review-step.tsx";
import { Steps, StepTitle } from "./steps.tsx";
import { TermsStep } from "./terms-step.tsx";

const w = en.depositSteps;

type Step = 2 | 3 | 4 | 5;

const titles: Record<Step, string> = {
  2: w.howWasIt,
  3: w.whatDoYou,
  4: w.certificationTermsAnd,
  5: w.review,
};

/** Unsent forms, kept while the user visits other screens. They are lost when the page is closed. */
const unsent = new Map<string, DepositForm>();

function emptyDeposit(): DepositForm {
  const { name, email } = me().user;
  return {
    source: "paper_upload",
    declared: nothingDeclared,
    attestation: emptyForm(name),
    evidence: null,
    terms: { accepted: false, version: "", name, email },
    party: noParty,
  };
}

/** The steps after the upload, next to a preview of the check results. */
export function DepositSteps({ draft, onDeposited }: { draft: Envelope; onDeposited: () => void }) {
  const { envelope_id } = draft;
  const [step, setStep] = useState<Step>(2);
  const [form, setForm] = useState<DepositForm>(() => unsent.get(envelope_id) ?? emptyDeposit());
  const sending = useSending();
  const isTouched = unsent.has(envelope_id);
  useEffect(() => {
    if (!isTouched) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isTouched]);
  const deposit = async () => {
    await sendDeposit(envelope_id, form);
    unsent.delete(envelope_id);
    onDeposited();
  };
  const { source, attestation, party, evidence } = form;
  const answers = { source, attestation, party: party.name, hasEvidence: evidence !== null, today: new Date().toISOString().slice(0, 10) };
  const put = (changes: Partial<DepositForm>) => {
    const changed = { ...form, ...changes };
    unsent.set(envelope_id, changed);
    setForm(changed);
  };
  const go = (next: Step) => {
    setStep(next);
    scrollTo(0, 0);
  };
  const shared = { form, put, sending };
  return (
    <>
      <Steps at={step} />
      <div class="deposit">
        <section class="card stack">
          <StepTitle key={step}>{titles[step]}</StepTitle>
          {step === 2 && <KindStep {...shared} onNext={() => go(3)} />}
          {step === 3 && <AttestationStep {...shared} onBack={() => go(2)} onNext={() => go(4)} />}
          {step === 4 && <TermsStep {...shared} onBack={() => go(3)} onNext={() => go(5)} />}
          {step === 5 && <ReviewStep {...shared} name={draft.envelope_name} onBack={() => go(4)} onSend={deposit} />}
        </section>
        <Preview envelope_id={envelope_id} answers={answers} />
      </div>
    </>
  );
}
