import type { TemplateSummary } from "@countersign/client/types";
import { useEffect, useState } from "preact/hooks";
import { call } from "../api.ts";
import { navigate, query } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { useSending } from "../sending.ts";
import { en as words } from "../words/new-envelope/en.ts";
import { ChooseTemplate } from "./choose-template.tsx";
import { chosenFiles } from "./chosen-files.ts";
import { CustomerField, type GivenCustomer } from "./customer-field.tsx";
import { FileField, nameOfFile } from "./file-field.tsx";
import { sendFiles } from "./send-files.ts";
import { CloseLink, placeOf, StepList } from "./steps.tsx";

type Source = "file" | "template";

/** The first step: a document and a customer. It creates the draft envelope, which stores everything from then on. */
export function NewEnvelope() {
  return (
    <Screen title={words.title} above={<CloseLink to="/envelopes" />}>
      <StepList at="document" envelope_id={null} />
      <RequirePermission needs="envelopes:write" to={words.toSend}>
        <NewEnvelopeForm />
      </RequirePermission>
    </Screen>
  );
}

function NewEnvelopeForm() {
  const sending = useSending();
  const [source, setSource] = useState<Source>(
    query.peek().has("template") || query.peek().get("source") === "template" ? "template" : "file",
  );
  const [template, setTemplate] = useState<string | null>(query.peek().get("template"));
  const [files, setFiles] = useState<readonly File[]>(() => chosenFiles.peek());
  const [share, setShare] = useState<number | null>(null);
  const [name, setName] = useState({ text: nameOfFile(files[0]?.name ?? ""), isOwn: false });
  useEffect(() => {
    chosenFiles.value = [];
  }, []);
  const [customer, setCustomer] = useState<GivenCustomer>({ name: "", email: "" });
  const [made, setMade] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  usePrefilled(setCustomer, (text) => setName({ text, isOwn: false }));
  const suggest = (text: string) => setName((now) => (now.isOwn ? now : { text, isOwn: false }));
  const body = {
    envelope_name: name.text.trim(),
    customer_name: customer.name.trim(),
    customer_email: customer.email.trim(),
    ...(source === "template" && template !== null && { template_id: template }),
  };
  const create = async () => {
    const missing = source === "file" ? (files.length === 0 ? words.noFile : null) : template === null ? words.noTemplate : null;
    setFault(missing);
    if (missing !== null) return;
    // If a file was rejected, the draft already exists, with the files before it. The next ones go into the same draft.
    const envelope_id = made ?? (await call("create_envelope", { body })).envelope_id;
    setMade(envelope_id);
    if (source === "file") {
      await sendFiles(envelope_id, files, setShare, async () => setFiles(([_, ...left]) => left));
    }
    navigate(placeOf(envelope_id, "people"), { replace: true });
  };
  return (
    <Form
      sending={sending}
      onSend={create}
      wide
      bar={
        <>
          {made !== null && sending.error !== null && <p class="notice">{words.notAdded}</p>}
          <div class="buttons">
            <SubmitButton sending={sending} busyLabel={share === null ? words.wait : words.uploading}>
              {words.next}
            </SubmitButton>
          </div>
        </>
      }
    >
      <Card title={words.document}>
        <fieldset class="choices" disabled={made !== null}>
          <legend class="hidden-visually">{words.source}</legend>
          {(["file", "template"] as const).map((one) => (
            <button key={one} type="button" class="choice" aria-pressed={source === one} onClick={() => setSource(one)}>
              {words.sources[one]}
            </button>
          ))}
        </fieldset>
        {source === "file" ? (
          <FileField
            files={files}
            share={share}
            error={null}
            onFiles={(chosen) => {
              setFiles(chosen);
              setFault(null);
              sending.clear();
              suggest(nameOfFile(chosen[0]?.name ?? ""));
            }}
          />
        ) : (
          <ChooseTemplate
            chosen={template}
            onChoose={(chosen: TemplateSummary) => {
              setTemplate(chosen.template_id);
              setFault(null);
              suggest(chosen.name);
            }}
          />
        )}
        {fault !== null && (
          <p class="error" role="alert">
            {fault}
          </p>
        )}
      </Card>
      <Card title={words.nameAndCustomer}>
        <fieldset class="stack" disabled={made !== null}>
          <TextField
            label={words.name}
            name="envelope_name"
            autoComplete="off"
            hint={words.nameHint}
            maxLength={200}
            value={name.text}
            onText={(text) => setName({ text, isOwn: text !== "" })}
            sending={sending}
          />
          <CustomerField value={customer} onChange={setCustomer} sending={sending} />
        </fieldset>
      </Card>
      <p class="quiet">{words.saved}</p>
      <ApiCall operation="create_envelope" given={{ body }} />
    </Form>
  );
}

/** Fills in the customer or the template whose id is in the address. */
function usePrefilled(onCustomer: (customer: GivenCustomer) => void, onName: (name: string) => void): void {
  useEffect(() => {
    const [customer_id, template_id] = [query.peek().get("customer"), query.peek().get("template")];
    const read = async () => {
      if (customer_id !== null) {
        const { name, email } = await call("get_customer", { params: { customer_id } });
        onCustomer({ name: name ?? email ?? "", email: email ?? "" });
      }
      if (template_id !== null) onName((await call("get_template", { params: { template_id } })).name);
    };
    // On an error the form stays empty. A wrong id is reported when the form is submitted.
    void read().catch(() => undefined);
  }, []);
}
