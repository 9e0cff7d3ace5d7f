import { useState } from "preact/hooks";
import { navigate } from "../navigation.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { TextField } from "../parts/field.tsx";
import { FileDrop } from "../parts/file-drop.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { upload } from "../upload.ts";
import { en } from "../words/templates/en.ts";
import { justCreated } from "./just-created.ts";

const words = en.dialog;

/** Creates a template from a PDF. Tags in the PDF become fields. */
export function NewTemplate({ onClose }: { onClose: () => void }) {
  const sending = useSending();
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState("");
  const [externalId, setExternalId] = useState("");
  const [share, setShare] = useState<number | null>(null);
  const take = (chosen: File) => {
    setFile(chosen);
    sending.clear();
    if (name.trim() === "") setName(chosen.name.replace(/\.pdf$/i, ""));
  };
  const fault = sending.errorOf("file");
  const create = async () => {
    const external_id = externalId.trim();
    const body = { name: name.trim(), ...(external_id !== "" && { external_id }), file };
    try {
      const onProgress = (sent: number, total: number) => setShare(sent / total);
      const created = await upload("create_template", { body }, { onProgress });
      justCreated.value = created;
      onClose();
      navigate(`/templates/${created.template_id}`);
    } finally {
      setShare(null);
    }
  };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Form sending={sending} onSend={create} wide>
        <FileDrop
          label={words.file}
          hint={words.limit}
          name="file"
          accept="application/pdf,.pdf"
          files={file === null ? [] : [file]}
          onFiles={([chosen]) => chosen !== undefined && take(chosen)}
          error={fault === null ? null : words.fault(fault)}
        />
        <TextField
          label={words.name}
          name="name"
          required
          value={name}
          onText={setName}
          sending={sending}
          maxLength={200}
          autoComplete="off"
        />
        <TextField
          label={words.externalId}
          name="external_id"
          value={externalId}
          onText={setExternalId}
          sending={sending}
          optional
          hint={words.externalIdHint}
          autoComplete="off"
        />
        {share !== null && <progress class="progress" aria-label={words.progress} max={1} value={share} />}
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {words.cancel}
          </button>
          <SubmitButton sending={sending} busyLabel={share === null || share < 1 ? words.uploading : words.processing}>
            {words.create}
          </SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
