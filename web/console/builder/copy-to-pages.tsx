import { useState } from "preact/hooks";
import { TextField } from "../parts/field.tsx";
import { en as words } from "../words/field-panel/en.ts";
import { copyToPages } from "./arrange.ts";
import { addAndFocus, type Editor } from "./editor.ts";
import { pagesOf } from "./page-list.ts";

/** Copies the selected fields to the same place on other pages. */
export function CopyToPages({ editor }: { editor: Editor }) {
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const { doc, selected, pages } = editor;
  if (pages.length < 2) return null;
  const copyTo = (wanted: readonly number[]) => {
    const edited = copyToPages(doc.peek(), selected.peek(), wanted);
    if (edited.boxes.length === 0) editor.announcement.value = words.alreadyThere;
    else addAndFocus(editor, edited, words.copied(new Set(wanted).size));
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
        label={words.copyTo}
        name="pages"
        value={text}
        onText={setText}
        placeholder="2-4,7"
        autoComplete="off"
        error={isWrong ? words.wrongPages(pages.length) : null}
      />
      <div class="buttons">
        <button type="submit" class="button">
          {words.copy}
        </button>
        <button type="button" class="button" onClick={() => copyTo(pages.map((_, index) => index + 1))}>
          {words.copyToAll}
        </button>
      </div>
    </form>
  );
}
