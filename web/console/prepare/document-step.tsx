import { useMemo, useState } from "preact/hooks";
import { Sheets } from "../envelopes/sheets.tsx";
import { Link } from "../link.tsx";
import { Facts } from "../parts/facts.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { en as words } from "../words/documents/en.ts";
import { en as newWords } from "../words/new-envelope/en.ts";
import type { Draft } from "./api.ts";
import { useAutosave } from "./autosave.ts";
import { Documents } from "./documents.tsx";
import { FileField } from "./file-field.tsx";
import { saveDocumentNames } from "./save-document-names.ts";
import { saveStep } from "./save-step.ts";
import { sendFiles } from "./send-files.ts";
import { StepButtons } from "./step-buttons.tsx";
import { StepHead } from "./steps.tsx";
import { useUnsavedStep } from "./use-unsaved-step.ts";
import { inTurn, type StepProps, useStepSending } from "./wizard.ts";

export function DocumentStep(props: StepProps) {
  return props.draft.envelope.status === "pending" ? <UploadDocument {...props} /> : <ExistingDocument {...props} />;
}

function UploadDocument(props: StepProps) {
  const { draft, reload, goTo, saveAndGo, isBlocked } = props;
  const { envelope_id } = draft.envelope;
  const sending = useStepSending(props);
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
    <Form
      sending={sending}
      onSend={give}
      wide
      bar={<StepButtons step="document" sending={sending} isBlocked={isBlocked} onLeave={saveAndGo} words={words.upload} />}
    >
      <section class="card stack">
        <StepHead title={words.title}>{words.none}</StepHead>
        <FileField
          files={files}
          share={share}
          error={isMissing ? newWords.noFile : null}
          onFiles={(chosen) => {
            setFiles(chosen);
            setMissing(false);
            sending.clear();
          }}
        />
      </section>
      {props.note}
    </Form>
  );
}

function ExistingDocument(props: StepProps) {
  const { draft, base, reload, goTo, saveAndGo, isBlocked, unsaved, turns, onConflict } = props;
  const { envelope, document, customer } = draft;
  const { envelope_id, envelope_name, template_id } = envelope;
  const sending = useStepSending(props);
  const changing = useStepSending(props);
  const [name, setName] = useState(envelope_name);
  // Only what was typed, by document.
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const saveName = async (isAutomatic: boolean) => {
    if (name.trim() === base.current.envelope.envelope_name) return;
    const stateOf = (one: Draft) => one.envelope.envelope_name;
    await saveStep(props, { body: { envelope_name: name.trim() }, stateOf, isIn: (one) => stateOf(one) === name.trim() }, isAutomatic);
  };
  const changedNames = () =>
    base.current.documents
      .map((one) => ({ ...one, typed: (names[one.document_id] ?? "").trim() }))
      .filter((one) => one.typed !== "" && one.typed !== one.name);
  const saveNames = async (isAutomatic: boolean) => {
    const changed = changedNames();
    if (changed.length === 0) return;
    const conflict = await saveDocumentNames(envelope_id, changed);
    onConflict(conflict === null ? null : isAutomatic ? "found" : "asked");
    if (conflict !== null) throw conflict;
    await reload();
  };
  const save = async () => {
    await saveName(false);
    await saveNames(false);
    autosave.done();
  };
  const isChanged = () => name.trim() !== base.current.envelope.envelope_name || changedNames().length > 0;
  useUnsavedStep(unsaved, { isChanged, save: () => sending.run(save) });
  const entries = useMemo(() => ({}), [name, names]);
  const autosave = useAutosave(props, sending, entries, async () => {
    if (name.trim() !== "") await saveName(true);
    await saveNames(true);
    const blank = base.current.documents.filter(({ document_id }) => names[document_id]?.trim() === "");
    return [...(name.trim() === "" ? [newWords.name] : []), ...blank.map(({ document_no }) => words.numbered(document_no))];
  });
  return (
    <Form
      sending={sending}
      wide
      bar={<StepButtons step="document" sending={sending} isBlocked={isBlocked} onLeave={saveAndGo} state={autosave.state} />}
      onSend={async () => {
        await save();
        goTo("people");
      }}
    >
      <section class="card stack">
        <StepHead title={words.title}>{words.lead}</StepHead>
        <Documents
          envelope_id={envelope_id}
          documents={draft.documents}
          names={names}
          onNames={setNames}
          sending={changing}
          inTurn={(act) => inTurn(turns, act)}
          onChanged={reload}
        />
      </section>
      <section class="card stack">
        <div class="columns">
          <div class="stack">
            <TextField
              label={newWords.name}
              name="envelope_name"
              autoComplete="off"
              hint={newWords.nameHint}
              maxLength={200}
              value={name}
              onText={setName}
              error={sending.errorOf("envelope_name") ?? autosave.errorOf("envelope_name")}
            />
            <Facts
              facts={[
                [words.customer, customer === null ? "–" : [customer.name, customer.email].filter((one) => one !== null).join(", ")],
                [words.source, template_id === null ? words.uploaded : <Link to={`/templates/${template_id}`}>{words.template}</Link>],
                [words.pageCount, document.pages.length],
                [words.fieldCount, document.fields.length],
              ]}
            />
          </div>
          <Sheets key={draft.documents.map(({ hash }) => hash).join()} envelope_id={envelope_id} pages={document.pages} asText={false} />
        </div>
      </section>
      {props.note}
    </Form>
  );
}
