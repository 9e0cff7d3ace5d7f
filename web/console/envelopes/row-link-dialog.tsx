import type { Recipient } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { SelectField } from "../parts/field.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { useLoad } from "../use-load.ts";
import { en } from "../words/repeat/en.ts";
import { LinkDialog } from "./link-dialog.tsx";

/** Who has not acted yet and can be given a link. Of those who get a copy, only the ones to whom no e-mail brings it. */
const isWaiting = ({ kind, status, slug, delivery }: Recipient): boolean =>
  (kind !== "cc" || delivery === "link") && slug !== null && (status === "pending" || status === "viewed");

interface RowLinkDialogProps {
  readonly envelope_id: string;
  readonly onDone: (words: string) => Promise<void>;
  readonly onClose: () => void;
}

/** The link of one person. If several have not acted yet, the user chooses first. */
export function RowLinkDialog({ envelope_id, onDone, onClose }: RowLinkDialogProps) {
  const loaded = useLoad(`recipients ${envelope_id}`, () => call("list_recipients", { params: { envelope_id } }));
  const [chosen, setChosen] = useState("");
  const [isChosen, setDone] = useState(false);
  const waiting = (loaded.data?.recipients ?? []).filter(isWaiting);
  const person = waiting.find(({ slug }) => slug === chosen) ?? waiting[0];
  if (person !== undefined && person.slug !== null && (isChosen || waiting.length === 1)) {
    return (
      <LinkDialog
        envelope_id={envelope_id}
        recipient={{ kind: person.kind, name: person.name, slug: person.slug }}
        onDone={onDone}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title={en.link.title} onClose={onClose}>
      {loaded.data === null && loaded.error === null && <Skeleton lines={2} />}
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {loaded.data !== null && waiting.length === 0 && <p>{en.link.none}</p>}
      {waiting.length > 1 && (
        <>
          <SelectField
            label={en.link.person}
            name="person"
            value={person?.slug ?? ""}
            choices={waiting.map(({ slug, name }) => [slug ?? "", name] as const)}
            onChoice={setChosen}
          />
          <div class="buttons end">
            <button type="button" class="button primary" onClick={() => setDone(true)}>
              {en.link.next}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
