import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { Sheets } from "../envelopes/sheets.tsx";
import { Link } from "../link.tsx";
import { Facts } from "../parts/facts.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { en as words } from "../words/documents/en.ts";
import { Documents } from "./documents.tsx";
import { FileField } from "./file-field.tsx";
import { sendFiles } from "./send-files.ts";
import { StepButtons } from "./step-buttons.tsx";
import { StepHead } from "./steps.tsx";
import { type StepProps, useStepSending, useUnsavedStep } from "./wizard.ts";

export function DocumentStep(props: StepProps) {
  return props.draft.envelope.status === "pending" ? <UploadDocument {...props} /> : <ExistingDocument {...props} />;
}

function UploadDocument({ draft, reload, goTo, saveAndGo }: StepProps) {
  const { envelope_id } = draft.envelope;
  const sending = useStepSending(reload);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [share, setShare] = useState<number | null>(null);
  const [isMissing, setMissing] = useState(false);
  const give = async () => {
    setMissing(files.length === 0);
    if (files.length === 0) return;
    await sendFiles(envelope_id, files, setShare, async () => undefined);
    await reload();
    goTo("people");
  };
  return (
    <Form sending={sending} onSend={give} wide>
      <section class="card stack">
        <StepHead title={words.title}>This envelope has no document yet.</StepHead>
        <FileField
          files={files}
          share={share}
          error={isMissing ? "Choose a file first." : null}
          onFiles={(chosen) => {
            setFiles(chosen);
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
  const changing = useStepSending(reload);
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
        <StepHead title={words.title}>{words.lead}</StepHead>
        <Documents envelope_id={envelope_id} documents={draft.documents} sending={changing} onChanged={reload} />
      </section>
      <section class="card stack">
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
          <Sheets key={draft.documents.map(({ hash }) => hash).join()} envelope_id={envelope_id} pages={document.pages} asText={false} />
        </div>
      </section>
      <StepButtons step="document" sending={sending} onLeave={saveAndGo} />
    </Form>
  );
}
