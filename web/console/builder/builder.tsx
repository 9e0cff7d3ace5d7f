import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Skeleton } from "../parts/table.tsx";
import { type Sending, useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { AnchorPanel } from "./anchor-panel.tsx";
import { lookUp, type Of, type Placed, type Prepared, replaceFields } from "./api.ts";
import { Bar } from "./bar.tsx";
import { Canvas } from "./canvas.tsx";
import { ConfirmDetach } from "./confirm-detach.tsx";
import { type Editor, makeEditor, select } from "./editor.ts";
import { onKey } from "./keys.ts";
import { Side } from "./side.tsx";
import { Unsaved } from "./unsaved.tsx";
import { bodyOf, fieldErrorsOf, isUnchanged } from "./wire.ts";
import { isUnsaved, saved } from "./work.ts";

interface BuilderProps {
  readonly of: Of;
  /** roles to offer in addition to those of the fields */
  readonly roles: readonly string[];
  readonly readOnly?: boolean;
  readonly onSaved?: (count: number) => void;
  /** called when there are unsaved changes, and when there are none any more */
  readonly onUnsaved?: (isUnsaved: boolean) => void;
}

/** Fields on the pages of a template or of an envelope's document. */
export function Builder({ of, ...props }: BuilderProps) {
  const loaded = useLoad(`${of.kind} ${of.id}`, () => lookUp(of));
  if (loaded.error !== null) return <ErrorNotice error={loaded.error} onRetry={loaded.reload} />;
  if (loaded.data === null) return loaded.isSlow ? <Skeleton /> : null;
  if (loaded.data.pages.length === 0) return <p class="notice">No document yet. Its pages appear here after the upload.</p>;
  return <BuilderView of={of} {...props} prepared={loaded.data} onReload={loaded.reload} />;
}

interface BuilderViewProps extends BuilderProps {
  readonly prepared: Prepared;
  readonly onReload: () => Promise<void>;
}

function BuilderView({ of, roles, readOnly = false, onSaved, onUnsaved, prepared, onReload }: BuilderViewProps) {
  const editor = useMemo(() => makeEditor(of, prepared, roles, readOnly), [prepared, readOnly]);
  // Memoized: the pages subscribe to the state themselves and need not render again when something around them changes.
  const canvas = useMemo(() => <Canvas editor={editor} />, [editor]);
  const sending = useSending();
  const [warnings, setWarnings] = useState<Placed["warnings"]>([]);
  const [isByText, setByText] = useState(false);
  const hasUnsaved = isUnsaved(editor.work.value);
  const side = useRef<HTMLDivElement>(null);
  const { fieldErrors } = editor.work.value;
  useEffect(() => onUnsaved?.(hasUnsaved), [hasUnsaved]);
  useEffect(() => {
    if (fieldErrors.length > 0) side.current?.scrollTo(0, 0);
  }, [fieldErrors]);
  const save = async () => {
    setWarnings([]);
    const placed = await saveWork(editor);
    setWarnings(placed.warnings ?? []);
    onSaved?.(placed.fields.length);
  };
  return (
    <section
      class="builder"
      aria-label="Fields on the pages"
      onKeyDown={(event) => {
        if (onKey(editor, event, () => void sending.run(save))) event.preventDefault();
      }}
    >
      <div class="builder-top">
        {!readOnly && <Bar editor={editor} sending={sending} onSave={save} isByText={isByText} onByText={() => setByText(!isByText)} />}
        <Unsaved editor={editor} onSave={() => sending.run(save)} />
        <SaveError sending={sending} onReload={onReload} />
        {warnings?.map(({ code, message }) => (
          <p key={code} class="notice" role="status">
            {message}
          </p>
        ))}
      </div>
      <div class="builder-desk">
        {canvas}
        <div ref={side} class={isByText || editor.selected.value.length > 0 ? "builder-side busy" : "builder-side"}>
          {isByText ? <AnchorPanel editor={editor} onClose={() => setByText(false)} /> : <Side editor={editor} />}
        </div>
      </div>
      <p id="builder-keys" class="hidden-visually">
        Arrow keys move the field. Hold Shift to move it further, or Alt to resize it. Delete removes it. Shift and Enter select several
        fields.
      </p>
      <p class="hidden-visually" role="status">
        {editor.announcement.value}
      </p>
      <ConfirmDetach editor={editor} />
    </section>
  );
}

/** Saves the fields. Errors of the API are shown at their fields, and the first such field gets the focus. */
async function saveWork(editor: Editor): Promise<Placed> {
  const { work, doc, focusOn } = editor;
  const sent = doc.peek();
  try {
    const { fields } = await lookUp(editor.of);
    if (!isUnchanged(fields, work.peek().known)) throw conflictError();
    const placed = await replaceFields(editor.of, bodyOf(sent, work.peek().known));
    work.value = saved(work.peek(), sent, placed.fields);
    return placed;
  } catch (error) {
    const fieldErrors = error instanceof ApiError && isAtFields(error) ? fieldErrorsOf(error.details, sent) : [];
    work.value = { ...work.peek(), fieldErrors };
    const first = sent.boxes.find((box) => box.field === fieldErrors[0]?.field);
    if (first !== undefined) {
      select(editor, [first.id]);
      focusOn.value = first.id;
    }
    throw error;
  }
}

/** The same status as the API's answer if a kept field has changed. */
const conflictError = (): ApiError =>
  new ApiError(new Response(null, { status: 409 }), {
    error: "The fields have changed in the meantime. Reload to see the current fields.",
  });

const isAtFields = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.details.length > 0 &&
  error.details.every(({ field }) => /^fields\[\d/.test(field ?? "")) &&
  error.status === 422;

interface SaveErrorProps {
  readonly sending: Sending;
  readonly onReload: () => Promise<void>;
}

function SaveError({ sending, onReload }: SaveErrorProps) {
  const { error } = sending;
  // Errors shown at the fields are not repeated here.
  if (error === null || isAtFields(error)) return null;
  const onRetry = async () => {
    await onReload();
    sending.clear();
  };
  return <ErrorNotice error={error} {...(error instanceof ApiError && error.status === 409 && { onRetry })} />;
}
