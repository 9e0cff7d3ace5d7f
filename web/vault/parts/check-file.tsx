import type { VaultKnownFile } from "@countersign/client/pages";
import { dateAndTime } from "../../i18n/i18n.ts";
import { vault } from "../../i18n/vault/vault.ts";
import { checkedFile, checkFile, isRunning } from "../actions.ts";
import { isVerifiable } from "../record.ts";
import { Failure } from "./action-button.tsx";

/** Browsers only offer hashing in secure contexts. */
const canHash = window.crypto.subtle !== undefined;

export function CheckFile() {
  if (!isVerifiable.value || !canHash) return null;
  const checked = checkedFile.value;
  const choose = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    const file = input.files?.[0];
    if (file !== undefined) void checkFile(file);
    // Allows choosing the same file again.
    input.value = "";
  };
  return (
    <section class="stack tight">
      <h2>{vault.value.fileTitle}</h2>
      <p class="small quiet">{vault.value.fileLead}</p>
      <label class="button wide choose">
        <input type="file" class="hidden-visually" onChange={choose} />
        {isRunning("file") ? vault.value.working : vault.value.fileChoose}
      </label>
      <Failure actions={["file"]} />
      <div role="status">
        {checked !== null && (
          <p class={checked.known === null ? "notice bad" : "notice good"}>
            <strong>{checked.name}</strong>
            <br />
            {resultText(checked.known)}
          </p>
        )}
      </div>
    </section>
  );
}

function resultText(known: VaultKnownFile | null): string {
  const { file } = vault.value;
  if (known === null) return file.unknown;
  switch (known.kind) {
    case "authoritative":
      return file.authoritative;
    case "certificate":
      return file.certificate(known.revision ?? 1);
    default:
      return file[known.kind](dateAndTime(known.at));
  }
}
