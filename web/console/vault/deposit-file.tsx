import { useState } from "preact/hooks";
import { SubmitButton } from "../parts/button.tsx";
import { Field, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { upload } from "../upload.ts";
import { type CustomerChoice, CustomerField, customerOf } from "./customer-choice.tsx";
import { sizeWords } from "./words.tsx";

const nameOf = (file: File): string => file.name.replace(/\.(pdf|png|jpe?g)$/i, "");

/** Step 1: uploads the document as an envelope of a customer. The envelope stays if the deposit is not continued. */
export function DepositFile({ onUploaded }: { onUploaded: (envelope_id: string) => void }) {
  const sending = useSending();
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState("");
  const [choice, setChoice] = useState<CustomerChoice | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const [missing, setMissing] = useState<"file" | "customer" | null>(null);
  const start = async () => {
    if (file === null) return void setMissing("file");
    if (choice === null) return void setMissing("customer");
    setMissing(null);
    const customer = await customerOf(choice);
    setChoice({ kind: "known", customer });
    const { customer_id } = customer;
    const body = { name: name.trim() === "" ? nameOf(file) : name.trim(), file };
    const onProgress = (done: number, total: number) => setSent(done / total);
    setSent(0);
    const made = await upload("upload_document", { params: { customer_id }, body }, { onProgress }).finally(() => setSent(null));
    onUploaded(made.envelope_id);
  };
  return (
    <Form sending={sending} onSend={start}>
      <Field
        label="Signed document"
        hint="PDF, PNG or JPEG, up to 50 MB. A file that was signed with another service is stored unchanged."
        error={missing === "file" ? "is required" : null}
      >
        {(given) => (
          <input
            {...given}
            type="file"
            class="input"
            accept=".pdf,.png,.jpg,.jpeg,application/pdf,image/png,image/jpeg"
            onChange={(event) => {
              const chosen = event.currentTarget.files?.[0] ?? null;
              setFile(chosen);
              setMissing(null);
              if (chosen !== null && name === "") setName(nameOf(chosen));
            }}
          />
        )}
      </Field>
      <TextField label="Document name" name="name" value={name} onText={setName} maxLength={200} sending={sending} />
      <CustomerField
        value={choice}
        onChange={(chosen) => {
          setChoice(chosen);
          setMissing(null);
        }}
        sending={sending}
      />
      {missing === "customer" && (
        <p class="error" role="alert">
          Choose a customer or add a new one.
        </p>
      )}
      {sent !== null && file !== null && (
        <div class="stack tight">
          <progress class="progress" max={1} value={sent} aria-label="Upload progress" />
          <p class="quiet small" role="status">
            {sent < 1 ? `${Math.round(sent * 100)} % of ${sizeWords(file.size)} uploaded` : "Uploaded. Processing the document…"}
          </p>
        </div>
      )}
      <div class="buttons">
        <SubmitButton sending={sending} busyLabel="Uploading…">
          Upload
        </SubmitButton>
      </div>
    </Form>
  );
}
