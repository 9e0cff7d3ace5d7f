import { useId, useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { navigate } from "../navigation.ts";
import { SubmitButton } from "../parts/button.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { upload } from "../upload.ts";
import { justCreated } from "./just-created.ts";

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
    <Dialog title="Create template" onClose={onClose}>
      <Form sending={sending} onSend={create} wide>
        <DropFile file={file} onFile={take} error={sending.errorOf("file")} />
        <TextField label="Name" name="name" value={name} onText={setName} sending={sending} maxLength={200} autoComplete="off" />
        <TextField
          label="External ID"
          name="external_id"
          value={externalId}
          onText={setExternalId}
          sending={sending}
          optional
          hint="Your own ID for this template. The API can filter templates by it."
          autoComplete="off"
        />
        {share !== null && <progress class="progress" aria-label="Upload progress" max={1} value={share} />}
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <SubmitButton sending={sending} busyLabel={share === null || share < 1 ? "Uploading…" : "Processing…"}>
            Create
          </SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

const sizeText = (bytes: number): string => (bytes < 100_000 ? `${Math.ceil(bytes / 1_000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`);

interface DropFileProps {
  readonly file: File | null;
  readonly onFile: (file: File) => void;
  readonly error: string | null;
}

function DropFile({ file, onFile, error }: DropFileProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const errorId = `${id}-error`;
  return (
    <div class="form-field">
      <label
        class={isOver ? "drop over" : "drop"}
        htmlFor={id}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const [dropped] = event.dataTransfer?.files ?? [];
          if (dropped !== undefined) onFile(dropped);
        }}
      >
        <strong>{file === null ? "Drop a PDF here or choose one" : file.name}</strong>
        <span class="quiet small">{file === null ? "Up to 50 MB" : `${sizeText(file.size)}. Click to replace`}</span>
        <input
          id={id}
          class="drop-input"
          type="file"
          name="file"
          aria-label="PDF file"
          accept="application/pdf,.pdf"
          aria-invalid={error !== null}
          aria-describedby={error === null ? undefined : errorId}
          onChange={(event) => {
            const [chosen] = event.currentTarget.files ?? [];
            if (chosen !== undefined) onFile(chosen);
          }}
        />
      </label>
      {error !== null && (
        <p class="error" id={errorId}>
          {`The file ${error}`}
        </p>
      )}
    </div>
  );
}
