import { useState } from "preact/hooks";
import { TextField } from "../parts/field.tsx";
import { counted } from "./announcements.ts";
import { addAndFocus, type Editor } from "./editor.ts";
import { copyToPages } from "./edits.ts";
import { pagesOf } from "./page-list.ts";

/** Copies the selected fields to the same place on other pages. */
export function CopyToPages({ editor }: { editor: Editor }) {
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const { doc, selected, pages } = editor;
  if (pages.length < 2) return null;
  const copyTo = (wanted: readonly number[]) => {
    const edited = copyToPages(doc.peek(), selected.peek(), wanted);
    if (edited.boxes.length === 0) editor.announcement.value = "The fields are already on these pages";
    else addAndFocus(editor, edited, `Copied to ${counted(new Set(wanted).size, "page")}`);
  };
  const copyToNamed = () => {
    const wanted = pagesOf(text, pages.length);
    setWrong(wanted === null);
    if (wanted !== null) copyTo(wanted);
  };
  return (
    <form
      class="copy-to-pages"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        copyToNamed();
      }}
    >
      <TextField
        label="Copy to pages"
        name="pages"
        value={text}
        onText={setText}
        placeholder="2-4,7"
        autoComplete="off"
        error={isWrong ? `must be pages from 1 to ${pages.length}, such as 2-4,7` : null}
      />
      <div class="buttons">
        <button type="submit" class="button">
          Copy
        </button>
        <button type="button" class="button" onClick={() => copyTo(pages.map((_, index) => index + 1))}>
          Copy to all
        </button>
      </div>
    </form>
  );
}
