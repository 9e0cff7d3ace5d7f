import type { RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import { ChangedElsewhere } from "../changed-elsewhere.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { lazy } from "../parts/lazy.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import type { Sending } from "../sending.ts";
import { isInterrupted, renew } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/builder/en.ts";
import { lookUp, type Of, type Placed, type Prepared } from "./api.ts";
import { Bar } from "./bar.tsx";
import { Canvas } from "./canvas.tsx";
import { type Editor, makeEditor, select } from "./editor.ts";
import type { Field } from "./field.ts";
import { isDragging } from "./gestures.ts";
import { onKey } from "./keys.ts";
import { saveWork } from "./save-work.ts";
import { makeSaver, type Saver } from "./saver.ts";
import { panels, Side } from "./side.tsx";
import { Unsaved } from "./unsaved.tsx";
import { useIsWide } from "./use-is-wide.ts";
import { usePreload } from "./use-preload.ts";
import { isUnsaved } from "./work.ts";

const AnchorPanel = lazy(async () => (await import("./anchor-panel.tsx")).AnchorPanel);
const loadConfirmDetach = async () => (await import("./confirm-detach.tsx")).ConfirmDetach;
const ConfirmDetach = lazy(loadConfirmDetach);
const loadPalette = async () => (await import("./palette.tsx")).Palette;
const Palette = lazy(loadPalette);
const Thumbnails = lazy(async () => (await import("./thumbnails.tsx")).Thumbnails);
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
  if (loaded.data.pages.length === 0) return <p class="notice">{words.noDocument}</p>;
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
  const begun = useMemo(() => makeEditor(of, prepared, roles, readOnly), [prepared]);
  // The role can change while the builder is open. The fields stay as they are on the screen, saved or not.
  const editor = useMemo(() => ({ ...begun, isReadOnly: readOnly }), [begun, readOnly]);
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
  const failed = useRef<unknown>(null);
  const { save, sending } = useMemo(
    () =>
      makeSaver(async () => {
        if (!isUnsaved(begun.work.peek())) return;
        told.current.setWarnings([]);
        failed.current = begun.work.peek().history.present;
        const placed = await saveWork(begun);
        failed.current = null;
        told.current.setWarnings(placed.warnings ?? []);
        told.current.onSaved?.(placed.fields.length);
      }),
    [begun],
  );
  useAutosave(editor, save, failed);
  const section = useKeptFocus(editor);
  const isWide = useIsWide(section, PALETTE_BESIDE_PX);
  usePreload([...panels, loadConfirmDetach]);
  /** Asked for by the user: the first field with an error gets the focus. */
  const saveNow = async () => {
    const isSaved = await save();
    if (!isSaved) focusFirstError(editor);
    return isSaved;
  };
  /** An admin may have given the role back. A failure of the network is shown by the save. */
  const saveWithNewRole = async () => {
    await renew().catch(() => false);
    await saveNow();
  };
  /** The preview shows what is saved. */
  const preview = async () => {
    if (await saveNow()) setPreviewed(true);
  };
  return (
    <section
      ref={section}
      class="builder"
      aria-label={words.label}
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
          >
            {!isWide && <Palette editor={editor} isTall={false} />}
          </Bar>
        )}
        <Unsaved editor={editor} onSave={saveNow} />
        {readOnly && hasUnsaved && (
          <p class="notice bad" role="alert">
            {words.notAllowed}
          </p>
        )}
        <SaveError sending={sending} onReload={onReload} {...(readOnly && { onRetry: saveWithNewRole })} />
        {warnings?.map(({ code, message }) => (
          <p key={code} class="notice" role="status">
            {message}
          </p>
        ))}
      </div>
      <div class={`builder-desk${isWide && !readOnly ? " with-palette" : ""}${editor.pages.length > 1 ? " with-thumbnails" : ""}`}>
        {isWide && !readOnly && (
          <div class="builder-palette-place">
            <Palette editor={editor} isTall />
          </div>
        )}
        {editor.pages.length > 1 && (
          <div class="builder-thumbnails-place">
            <Thumbnails editor={editor} />
          </div>
        )}
        {canvas}
        <div ref={side} class={isByText || editor.selected.value.length > 0 ? "builder-side busy" : "builder-side"}>
          {isByText ? <AnchorPanel editor={editor} onClose={() => setByText(false)} /> : <Side editor={editor} />}
        </div>
      </div>
      <p id="builder-keys" class="hidden-visually">
        {words.keys}
      </p>
      <p class="hidden-visually" role="status">
        {editor.announcement.value}
      </p>
      {editor.pendingEdit.value !== null && <ConfirmDetach editor={editor} />}
      {isPreviewed && <Preview editor={editor} names={names} onClose={() => setPreviewed(false)} />}
    </section>
  );
}

/** If a change removes the element that had the focus, the pages get it. Otherwise the next key would have no effect. */
function useKeptFocus({ doc, selected, canvas }: Editor): RefObject<HTMLElement> {
  const section = useRef<HTMLElement>(null);
  const wasInside = useRef(false);
  useEffect(() => {
    const noted = ({ target }: Event) => {
      wasInside.current = target instanceof Node && section.current?.contains(target) === true;
    };
    document.addEventListener("focusin", noted);
    document.addEventListener("pointerdown", noted);
    return () => {
      document.removeEventListener("focusin", noted);
      document.removeEventListener("pointerdown", noted);
    };
  }, []);
  const [fields, boxes] = [doc.value, selected.value];
  useEffect(() => {
    if (wasInside.current && document.activeElement === document.body) canvas.current?.focus({ preventScroll: true });
  }, [fields, boxes]);
  return section;
}

// Less would leave too little for the pages.
const PALETTE_BESIDE_PX = 1_120;
const QUIET_MS = 1_500;

/**
 * Saves a moment after the last change. What could not be saved (`failed`) is tried again after the next change, when the browser is online
 * again, when the user has logged in again, or when they ask for it. Another attempt would move what the user is about to click.
 */
function useAutosave({ work, isReadOnly }: Editor, save: Saver["save"], failed: RefObject<unknown>): void {
  const { present } = work.value.history;
  const isMoving = isDragging.value;
  const hasUnsaved = isUnsaved(work.value);
  useEffect(() => {
    if (isReadOnly || !hasUnsaved || isMoving) return;
    const timer = setTimeout(() => void save(() => failed.current !== work.peek().history.present), QUIET_MS);
    return () => clearTimeout(timer);
  }, [present, hasUnsaved, isMoving, isReadOnly]);
  useEffect(() => {
    const again = () => void save();
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, [save]);
  const isWaiting = isInterrupted();
  useEffect(() => {
    if (!isWaiting && isUnsaved(work.peek())) void save();
  }, [isWaiting]);
}

function focusFirstError(editor: Editor): void {
  const wrong = editor.work.peek().fieldErrors[0]?.field;
  const first = editor.doc.peek().boxes.find((box) => box.field === wrong);
  if (wrong === undefined || first === undefined) return;
  select(editor, [first.id]);
  editor.focusOn.value = first.id;
}

const isAtFields = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.details.length > 0 &&
  error.details.every(({ field }) => /^fields\[\d/.test(field ?? "")) &&
  error.status === 422;

interface SaveErrorProps {
  readonly sending: Sending;
  readonly onReload: () => Promise<void>;
  /** without the toolbar and its button Save */
  readonly onRetry?: () => Promise<void>;
}

function SaveError({ sending, onReload, ...retry }: SaveErrorProps) {
  const { error } = sending;
  // Errors shown at the fields are not repeated here.
  if (error === null || isAtFields(error)) return null;
  const load = async () => {
    await onReload();
    sending.clear();
  };
  if (!(error instanceof ChangedElsewhere)) return <ErrorNotice error={error} {...retry} />;
  return (
    <div class="notice bad stack tight" role="alert">
      <p>{words.changed}</p>
      <div class="buttons">
        <button type="button" class="button" onClick={() => void load()}>
          {words.load}
        </button>
      </div>
    </div>
  );
}
