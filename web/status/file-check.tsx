import { useState } from "preact/hooks";
import { CheckFailed, canHash, checkFile } from "./check-file.ts";
import type { Status } from "./status.ts";
import { fileWords } from "./words.tsx";

interface Checked {
  readonly name: string;
  /** null while the file is hashed and asked about */
  readonly result: Status | string | null;
}

/** Compares a file with the record. The file is hashed here and not uploaded. */
export function FileCheck({ onChecked }: { readonly onChecked: (now: Status) => void }) {
  const [checked, setChecked] = useState<Checked | null>(null);
  const [isOver, setOver] = useState(false);
  const check = async (file: File | undefined) => {
    if (file === undefined) return;
    const { name } = file;
    setChecked({ name, result: null });
    try {
      const result = await checkFile(file);
      setChecked({ name, result });
      onChecked(result);
    } catch (error) {
      if (!(error instanceof CheckFailed)) throw error;
      setChecked({ name, result: error.message });
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void check(event.dataTransfer?.files[0]);
  };
  const choose = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    void check(input.files?.[0]);
    // Allows choosing the same file again.
    input.value = "";
  };
  if (!canHash) {
    return (
      <section class="card stack tight">
        <h2>Compare a file</h2>
        <p>Browsers can only compute hashes on pages with https. Open this page with https to compare a file.</p>
      </section>
    );
  }
  return (
    <section class="card stack tight">
      <h2>Compare a file</h2>
      <p class="quiet small">Find out whether a file is the stored original. It stays on your device; only its SHA-256 is sent.</p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the input inside is for everyone */}
      <div
        class={`drop ${isOver ? "over" : ""}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <label class="button" for="file">
          Choose a file
        </label>
        <input id="file" type="file" onChange={choose} />
        <p class="quiet small">or drop it here</p>
      </div>
      <div role="status">{checked !== null && <Result {...checked} />}</div>
    </section>
  );
}

function Result({ name, result }: Checked) {
  if (result === null) return <p class="quiet">Comparing {name}…</p>;
  if (typeof result === "string") return <p class="notice caution">{result}</p>;
  if (result.file === null) return null;
  const { tone, title, meaning } = fileWords(result.file, result);
  return (
    <div class={`notice stack tight ${tone}`}>
      <p>
        <strong>{title}</strong>
      </p>
      <p>{meaning}</p>
      <dl class="facts small">
        <div>
          <dt>File</dt>
          <dd>{name}</dd>
        </div>
        <div>
          <dt>Its SHA-256</dt>
          <dd>
            <code>{result.file.sha256}</code>
          </dd>
        </div>
      </dl>
    </div>
  );
}
