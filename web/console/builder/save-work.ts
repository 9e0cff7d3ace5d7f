import { ApiError } from "../../http.ts";
import { ChangedElsewhere } from "../changed-elsewhere.ts";
import { lookUp, type Placed, replaceFields } from "./api.ts";
import { bodyOf, fieldErrorsOf, hasFieldsOf, isUnchanged } from "./body.ts";
import type { Editor } from "./editor.ts";
import { saved } from "./work.ts";

/** Saves the fields. Errors of the API are shown at their fields. */
export async function saveWork(editor: Editor): Promise<Placed> {
  const { work, doc } = editor;
  const sent = doc.peek();
  try {
    const { fields } = await lookUp(editor.of);
    const { known, unconfirmed } = work.peek();
    // The answer to our last save was lost, but the save itself was not.
    if (unconfirmed !== null && !isUnchanged(fields, known) && hasFieldsOf(fields, unconfirmed)) {
      work.value = saved(work.peek(), unconfirmed, fields);
    } else if (!isUnchanged(fields, known)) throw new ChangedElsewhere();
    work.value = { ...work.peek(), unconfirmed: sent };
    const placed = await replaceFields(editor.of, bodyOf(sent, work.peek().known, editor.parts), editor.parts);
    work.value = saved(work.peek(), sent, placed.fields);
    return placed;
  } catch (error) {
    const fieldErrors = error instanceof ApiError && error.status === 422 ? fieldErrorsOf(error.details, sent) : [];
    const isRefused = error instanceof ApiError || error instanceof ChangedElsewhere;
    work.value = { ...work.peek(), fieldErrors, ...(isRefused && { unconfirmed: null }) };
    throw error;
  }
}
