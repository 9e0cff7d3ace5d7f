import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { lazy } from "../parts/lazy.tsx";
import { Skeleton } from "../parts/table.tsx";
import type { Sending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { lookUp, type Of, type Placed, type Prepared, replaceFields } from "./api.ts";
import { Bar } from "./bar.tsx";
import { Canvas } from "./canvas.tsx";
import { ConfirmDetach } from "./confirm-detach.tsx";
import { type Editor, makeEditor, select } from "./editor.ts";
import type { Field } from "./field.ts";
import { isDragging } from "./gestures.ts";
import { onKey } from "./keys.ts";
import { makeSaver } from "./saver.ts";
import { Side } from "./side.tsx";
import { Thumbnails } from "./thumbnails.tsx";
import { Unsaved } from "./unsaved.tsx";
import { bodyOf, fieldErrorsOf, isUnchanged } from "./wire.ts";
import { isUnsaved, saved } from "./work.ts";

const AnchorPanel = lazy(async () => (await import("./anchor-panel.tsx")).AnchorPanel);
const Preview = lazy(async () => (await import("./preview.tsx")).Preview);

interface BuilderProps {
  readonly of: Of;
  /** roles to offer in addition to those of the fields */
  readonly roles: readonly string[];
  /** the names of the people, by role */
  readonly names?: ReadonlyMap<string, string>;
  readonly readOnly?: boolean;
  readonly onSaved?: (count: number) => void;
  /** called with the fields as they are on the screen, saved or not */
  readonly onFields?: (fields: readonly Field[]) => void;
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

const NO_NAMES: ReadonlyMap<string, string> = new Map();

interface BuilderViewProps extends BuilderProps {
  readonly prepared: Prepared;
  readonly onReload: () => Promise<void>;
}

function BuilderView({
  of,
  roles,
  names = NO_NAMES,
  readOnly = false,
  onSaved,
  onFields,
  onUnsaved,
  prepared,
  onReload,
}: BuilderViewProps) {
  const editor = useMemo(() => makeEditor(of, prepared, roles, readOnly), [prepared, readOnly]);
  // Memoized: the pages subscribe to the state themselves and need not render again when something around them changes.
  const canvas = useMemo(() => <Canvas editor={editor} />, [editor]);
  const [warnings, setWarnings] = useState<Placed["warnings"]>([]);
  const [isByText, setByText] = useState(false);
  const [isPreviewed, setPreviewed] = useState(false);
  const hasUnsaved = isUnsaved(editor.work.value);
  const side = useRef<HTMLDivElement>(null);
  const { fieldErrors } = editor.work.value;
  useEffect(() => onUnsaved?.(hasUnsaved), [hasUnsaved]);
  const { fields } = editor.doc.value;
  useEffect(() => onFields?.(fields), [fields]);
  useEffect(() => {
    if (fieldErrors.length > 0) side.current?.scrollTo(0, 0);
  }, [fieldErrors]);
  const told = useRef({ onSaved, setWarnings });
  told.current = { onSaved, setWarnings };
  const { save, sending } = useMemo(
    () =>
      makeSaver(async () => {
        if (!isUnsaved(editor.work.peek())) return;
        told.current.setWarnings([]);
        const placed = await saveWork(editor);
        told.current.setWarnings(placed.warnings ?? []);
        told.current.onSaved?.(placed.fields.length);
      }),
    [editor],
  );
  useAutosave(editor, save);
  /** Asked for by the user: the first field with an error gets the focus. */
  const saveNow = async () => {
    const isSaved = await save();
    if (!isSaved) focusFirstError(editor);
    return isSaved;
  };
  /** The preview shows what is saved. */
  const preview = async () => {
    if (await saveNow()) setPreviewed(true);
  };
  return (
    <section
      class="builder"
      aria-label="Fields on the pages"
      onKeyDown={(event) => {
        if (onKey(editor, event, () => void saveNow())) event.preventDefault();
      }}
    >
      <div class="builder-top">
        {!readOnly && (
          <Bar
            editor={editor}
            sending={sending}
            onSave={saveNow}
            isByText={isByText}
            onByText={() => setByText(!isByText)}
            onPreview={preview}
          />
        )}
        <Unsaved editor={editor} onSave={saveNow} />
        <SaveError sending={sending} onReload={onReload} />
        {warnings?.map(({ code, message }) => (
          <p key={code} class="notice" role="status">
            {message}
          </p>
        ))}
      </div>
      <div class={editor.pages.length > 1 ? "builder-desk with-thumbnails" : "builder-desk"}>
        {editor.pages.length > 1 && <Thumbnails editor={editor} />}
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
      {isPreviewed && <Preview editor={editor} names={names} onClose={() => setPreviewed(false)} />}
    </section>
  );
}

const QUIET_MS = 1_500;

/** Saves a moment after the last change. What could not be saved is tried again after the next change, or when the user asks for it. */
function useAutosave({ work, isReadOnly }: Editor, save: () => Promise<boolean>): void {
  const { present } = work.value.history;
  const isMoving = isDragging.value;
  const failed = useRef<unknown>(null);
  const hasUnsaved = isUnsaved(work.value);
  useEffect(() => {
    if (isReadOnly || !hasUnsaved || isMoving || failed.current === present) return;
    const attempt = async () => {
      if (!(await save())) failed.current = present;
    };
    const timer = setTimeout(() => void attempt(), QUIET_MS);
    return () => clearTimeout(timer);
  }, [present, hasUnsaved, isMoving]);
}

function focusFirstError(editor: Editor): void {
  const wrong = editor.work.peek().fieldErrors[0]?.field;
  const first = editor.doc.peek().boxes.find((box) => box.field === wrong);
  if (wrong === undefined || first === undefined) return;
  select(editor, [first.id]);
  editor.focusOn.value = first.id;
}

/** Saves the fields. Errors of the API are shown at their fields. */
async function saveWork(editor: Editor): Promise<Placed> {
  const { work, doc } = editor;
  const sent = doc.peek();
  try {
    const { fields } = await lookUp(editor.of);
    if (!isUnchanged(fields, work.peek().known)) throw conflictError();
    const placed = await replaceFields(editor.of, bodyOf(sent, work.peek().known, editor.parts), editor.parts);
    work.value = saved(work.peek(), sent, placed.fields);
    return placed;
  } catch (error) {
    const fieldErrors = error instanceof ApiError && isAtFields(error) ? fieldErrorsOf(error.details, sent) : [];
    work.value = { ...work.peek(), fieldErrors };
    throw error;
  }
}

/** The same status as the API's answer if a kept field has changed. */
const conflictError = (): ApiError =>
  new ApiError(new Response(null, { status: 409 }), {
    error: "Someone else changed these fields. Load their version.",
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
