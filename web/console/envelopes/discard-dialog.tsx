import { ApiError } from "../../http.ts";
import { call } from "../api.ts";
import { Confirm } from "../parts/confirm.tsx";
import { en } from "../words/envelope-dialogs/en.ts";
import { isDiscarded } from "./api.ts";
import type { EnvelopeDialogProps } from "./void-dialog.tsx";

const words = en.discard;

export function DiscardDialog({ envelope: { envelope_id, envelope_name }, onDone, onClose }: EnvelopeDialogProps) {
  const confirm = async () => {
    await discard(envelope_id);
    await onDone(words.done);
  };
  return (
    <Confirm title={words.title} button={words.button} kind="danger" onConfirm={confirm} onClose={onClose}>
      <p>{words.text(envelope_name)}</p>
    </Confirm>
  );
}

/** A draft that is discarded already is fine too: the answer to an earlier attempt may have been lost. */
async function discard(envelope_id: string): Promise<void> {
  const params = { envelope_id };
  try {
    await call("discard_envelope", { params });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409 || !isDiscarded(await call("get_envelope", { params }))) throw error;
  }
}
