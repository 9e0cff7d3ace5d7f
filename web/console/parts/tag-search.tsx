import { useId, useRef, useState } from "preact/hooks";
import { formatNumber } from "../format-number.ts";
import { useWhenChanged } from "../when-changed.ts";
import { en as words } from "../words/tags/en.ts";
import { TextField } from "./field.tsx";
import { MOST_SUGGESTED, matchingTags } from "./tag-list.ts";

interface TagSearchProps {
  readonly tags: readonly string[];
  /** "" for none */
  readonly chosen: string;
  readonly onChoice: (tag: string) => void;
}

/**
 * A filter by one of many tags: shows the first that contain what is typed, and how many there are. Enter or a click chooses one, and an empty
 * field removes the filter. What was typed and not chosen is replaced by the chosen tag when the focus leaves.
 */
export function TagSearch({ tags, chosen, onChoice }: TagSearchProps) {
  const listId = useId();
  const box = useRef<HTMLDivElement>(null);
  const [text, setText] = useState(chosen);
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  // The browser's Back button and saved views change it too.
  useWhenChanged(chosen, () => setText(chosen));
  // What is chosen is not what the user looks for.
  const wanted = text === chosen ? "" : text;
  const matching = isOpen ? matchingTags(tags, [], wanted) : [];
  const found = matching.slice(0, MOST_SUGGESTED);
  const count = matching.length;
  const isShown = isOpen && (found.length > 0 || wanted !== "");
  const close = () => {
    setOpen(false);
    setAt(0);
    setText(chosen);
  };
  const choose = (tag: string) => {
    setOpen(false);
    setAt(0);
    setText(tag);
    if (tag !== chosen) onChoice(tag);
  };
  const type = (typed: string) => {
    if (typed === "") choose("");
    setText(typed);
    setOpen(true);
    setAt(0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.altKey) return;
    const marked = found[at];
    if (event.key === "ArrowDown" && !isOpen) setOpen(true);
    else if (event.key === "ArrowDown" && found.length > 0) setAt((at + 1) % found.length);
    else if (event.key === "ArrowUp" && found.length > 0) setAt((at === 0 ? found.length : at) - 1);
    else if (event.key === "Enter" && isOpen && marked !== undefined) choose(marked);
    else if (event.key === "Escape" && isOpen) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class="tags-field tag-search"
      ref={box}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && box.current?.contains(relatedTarget))) close();
      }}
    >
      <TextField
        label={words.tag}
        name="tag"
        type="search"
        autoComplete="off"
        placeholder={words.any}
        value={text}
        onText={type}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={listId}
        aria-activedescendant={found[at] === undefined ? undefined : `${listId}-${at}`}
        onClick={() => setOpen(true)}
        onKeyDown={onKeyDown}
      />
      <p class="hidden-visually" role="status">
        {isShown ? words.matches(count, formatNumber(count)) : ""}
      </p>
      <div class="tags-found" hidden={!isShown}>
        <div id={listId} role="listbox" aria-label={words.suggestions}>
          {found.map((tag, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys of a listbox act in its text field, which keeps the focus
            <div
              key={tag}
              id={`${listId}-${index}`}
              class="tags-found-one"
              role="option"
              aria-selected={index === at}
              title={tag}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(tag)}
            >
              {tag}
            </div>
          ))}
        </div>
        {count > found.length && <p class="tags-more quiet small">{words.more(formatNumber(count - found.length))}</p>}
        {count === 0 && <p class="tags-more quiet small">{words.matches(0, "0")}</p>}
      </div>
    </div>
  );
}
