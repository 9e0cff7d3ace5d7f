import { useState } from "preact/hooks";
import { SubmitButton } from "../parts/button.tsx";
import { TextField } from "../parts/field.tsx";
import { FileDrop } from "../parts/file-drop.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { upload } from "../upload.ts";
import { en } from "../words/deposit/en.ts";
import { type CustomerChoice, CustomerField, customerOf } from "./customer-choice.tsx";
import { sizeWords } from "./words.tsx";

const w = en.depositFile;

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
      <FileDrop
        label={w.signedDocument}
        hint={w.pdfPngOr}
        accept=".pdf,.png,.jpg,.jpeg,application/pdf,image/png,image/jpeg"
        files={file === null ? [] : [file]}
        onFiles={([chosen]) => {
          if (chosen === undefined) return;
          setFile(chosen);
          setMissing(null);
          if (name === "") setName(nameOf(chosen));
        }}
        error={missing === "file" ? w.fileRequired : null}
      />
      <TextField label={w.documentName} name="name" value={name} onText={setName} maxLength={200} sending={sending} />
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
          {w.chooseACustomer}
        </p>
      )}
      {sent !== null && file !== null && (
        <div class="stack tight">
          <progress class="progress" max={1} value={sent} aria-label={w.uploadProgress} />
          <p class="quiet small" role="status">
            {sent < 1 ? w.ofUploaded(Math.round(sent * 100), sizeWords(file.size)) : w.uploadedProcessingThe}
          </p>
        </div>
      )}
      <div class="buttons">
        <SubmitButton sending={sending} busyLabel={w.uploading}>
          {w.upload}
        </SubmitButton>
      </div>
    </Form>
  );
}
