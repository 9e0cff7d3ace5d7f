import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField } from "../parts/field.tsx";
import { en as words } from "../words/builder-preview/en.ts";
import { pictureOf, previewOf, wordsOf } from "./api.ts";
import type { Editor } from "./editor.ts";
import { rolesWithFields } from "./field.ts";

interface PreviewProps {
  readonly editor: Editor;
  /** the names of the people, by role; a template may have none */
  readonly names: ReadonlyMap<string, string>;
  readonly onClose: () => void;
}

/** The page in the frame takes the focus, so the dialog around it does not hear the key. A dialog or a menu of that page takes it first. */
function closeOnEscape({ contentWindow, contentDocument }: HTMLIFrameElement, onClose: () => void): void {
  const isOpen = () => contentDocument?.querySelector("dialog[open], .menu [aria-expanded='true']") !== null;
  // Asked before the page acts on the key.
  contentWindow?.addEventListener("keydown", ({ key }) => key === "Escape" && !isOpen() && onClose(), { capture: true });
}

/** The signing page as the person of a role would see it, in a frame that gets everything from this window. Shows what is saved. */
export function Preview({ editor: { of, doc, role: current }, names, onClose }: PreviewProps) {
  const roles = rolesWithFields(doc.peek());
  const [role, setRole] = useState(roles.includes(current.peek()) ? current.peek() : (roles[0] ?? ""));
  const [isNarrow, setNarrow] = useState(false);
  const [isGiven, setGiven] = useState(false);
  useEffect(() => {
    window.previewSource = {
      open: (values, lang) => previewOf(of, { role, values: [...values], lang }),
      picture: (page, width) => pictureOf(of, page, width === "204" ? "small" : width === "2448" ? "fine" : "plain"),
      text: (page) => wordsOf(of, page),
    };
    setGiven(true);
    return () => {
      delete window.previewSource;
    };
  }, [role]);
  const labelOf = (one: string) => (names.has(one) ? words.named(names.get(one) ?? "", one) : one);
  return (
    <Dialog title={words.title(names.get(role) ?? role)} class="preview-dialog" onClose={onClose}>
      <div class="preview-bar">
        <p class="quiet">{words.lead}</p>
        {roles.length > 1 && (
          <SelectField
            label={words.person}
            name="role"
            value={role}
            choices={roles.map((one) => [one, labelOf(one)] as const)}
            onChoice={setRole}
          />
        )}
        <fieldset class="preview-widths">
          <legend class="hidden-visually">{words.width}</legend>
          {[false, true].map((narrow) => (
            <button key={String(narrow)} type="button" class="choice" aria-pressed={isNarrow === narrow} onClick={() => setNarrow(narrow)}>
              {narrow ? words.narrow : words.wide}
            </button>
          ))}
        </fieldset>
      </div>
      {/* Another person is another page. */}
      {isGiven && (
        <iframe
          key={role}
          class={isNarrow ? "preview-frame narrow" : "preview-frame"}
          src="/preview/"
          title={words.frame}
          onLoad={(event) => closeOnEscape(event.currentTarget, onClose)}
        />
      )}
    </Dialog>
  );
}
