import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { Sheets } from "../envelopes/sheets.tsx";
import { Link } from "../link.tsx";
import { Facts } from "../parts/facts.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { FileField } from "./file-field.tsx";
import { sendFile } from "./new-envelope.tsx";
import { StepButtons } from "./step-buttons.tsx";
import { StepHead } from "./steps.tsx";
import { type StepProps, useStepSending, useUnsavedStep } from "./wizard.ts";

export function DocumentStep(props: StepProps) {
  return props.draft.envelope.status === "pending" ? <UploadDocument {...props} /> : <ExistingDocument {...props} />;
}

function UploadDocument({ draft, reload, goTo, saveAndGo }: StepProps) {
  const { envelope_id } = draft.envelope;
  const sending = useStepSending(reload);
  const [file, setFile] = useState<File | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const [isMissing, setMissing] = useState(false);
  const give = async () => {
    setMissing(file === null);
    if (file === null) return;
    await sendFile(envelope_id, file, setShare);
    await reload();
    goTo("people");
  };
  return (
    <Form sending={sending} onSend={give} wide>
      <section class="card stack">
        <StepHead title="Document">This envelope has no document yet.</StepHead>
        <FileField
          file={file}
          share={share}
          error={isMissing ? "Choose a file first." : null}
          onFile={(chosen) => {
            setFile(chosen);
            setMissing(false);
            sending.clear();
          }}
        />
      </section>
      <StepButtons step="document" sending={sending} onLeave={saveAndGo} words="Upload and continue" />
    </Form>
  );
}

function ExistingDocument({ draft, reload, goTo, saveAndGo, unsaved }: StepProps) {
  const { envelope, document, customer } = draft;
  const { envelope_id, envelope_name, template_id } = envelope;
  const sending = useStepSending(reload);
  const [name, setName] = useState(envelope_name);
  const isChanged = name.trim() !== envelope_name;
  const save = async () => {
    if (!isChanged) return;
    await call("update_envelope", { params: { envelope_id }, body: { envelope_name: name.trim() } });
    await reload();
  };
  useUnsavedStep(unsaved, { isChanged, save: () => sending.run(save) });
  return (
    <Form
      sending={sending}
      wide
      onSend={async () => {
        await save();
        goTo("people");
      }}
    >
      <section class="card stack">
        <StepHead title="Document">
          The document of a draft cannot be replaced. To use another one, discard this draft on{" "}
          <Link to={`/envelopes/${envelope_id}`}>the envelope's page</Link> and create a new envelope.
        </StepHead>
        <div class="columns">
          <div class="stack">
            <TextField
              label="Envelope name"
              name="envelope_name"
              autoComplete="off"
              hint="Visible to signers."
              maxLength={200}
              value={name}
              onText={setName}
              sending={sending}
            />
            <Facts
              facts={[
                ["Customer", customer === null ? "–" : [customer.name, customer.email].filter((one) => one !== null).join(", ")],
                ["Source", template_id === null ? "Uploaded file" : <Link to={`/templates/${template_id}`}>Template</Link>],
                ["Pages", document.pages.length],
                ["Fields", document.fields.length],
              ]}
            />
          </div>
          <Sheets envelope_id={envelope_id} pages={document.pages} asText={false} />
        </div>
      </section>
      <StepButtons step="document" sending={sending} onLeave={saveAndGo} />
    </Form>
  );
}
