import { useEffect, useId, useRef, useState } from "preact/hooks";
import { call } from "../api.ts";
import type { Sending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/tags/en.ts";
import { Field } from "./field.tsx";
import { Glyph } from "./glyph.tsx";
import { suggestedTags, withTags } from "./tag-list.ts";

interface TagsFieldProps {
  readonly label: string;
  /** the API's name of the list; its errors and those of each tag are shown here */
  readonly name: string;
  /** the tags at first */
  readonly tags: readonly string[];
  /** gets all tags, also the one that is being typed */
  readonly onTags: (tags: readonly string[]) => void;
  readonly hint?: string;
  readonly optional?: boolean;
  readonly sending: Sending;
}

/**
 * Tags as chips. Enter or a comma adds what was typed, Backspace in the empty field removes the last tag, and the tags of the organization
 * are suggested. What was typed and not added yet is saved as well: it becomes no chip when the focus leaves, because buttons would move away
 * under the mouse.
 */
export function TagsField({ label, name, tags, onTags, hint, optional = false, sending }: TagsFieldProps) {
  const listId = useId();
  const [box, input, kept] = [useRef<HTMLDivElement>(null), useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const [chips, setChips] = useState(tags);
  const [text, setText] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const [said, setSaid] = useState("");
  // Without suggestions the user types the whole tag.
  const known = useLoad("tags", () => call("list_tags")).data ?? [];
  const found = isOpen
    ? suggestedTags(
        known.map((tag) => tag.name),
        chips,
        text,
      )
    : [];
  const all = withTags(chips, text);
  const change = (next: readonly string[], typed: string) => {
    setChips(next);
    setText(typed);
    setAt(-1);
    onTags(withTags(next, typed));
  };
  const add = (typed: string) => {
    const next = withTags(chips, typed);
    setOpen(false);
    change(next, "");
    if (next.length > chips.length) setSaid(words.added(next.slice(chips.length).join(", ")));
  };
  const remove = (tag: string) => {
    change(
      chips.filter((one) => one !== tag),
      text,
    );
    setSaid(words.removed(tag));
    input.current?.focus();
  };
  const type = (typed: string) => {
    const comma = typed.lastIndexOf(",");
    setOpen(true);
    change(comma < 0 ? chips : withTags(chips, typed.slice(0, comma)), typed.slice(comma + 1));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.altKey) return;
    const [chosen, last] = [found[at], chips.at(-1)];
    if (event.key === "ArrowDown" && found.length === 0) setOpen(true);
    else if (event.key === "ArrowDown") setAt((at + 1) % found.length);
    else if (event.key === "ArrowUp" && found.length > 0) setAt((at <= 0 ? found.length : at) - 1);
    else if (event.key === "Enter" && chosen !== undefined) add(chosen);
    else if (event.key === "Enter" && text.trim() !== "") add(text);
    else if (event.key === "Escape" && found.length > 0) setOpen(false);
    else if (event.key === "Backspace" && text === "" && last !== undefined) remove(last);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  // A dialog asks before it discards changes, and a chip that is removed is no input of the user in a field.
  useEffect(() => {
    if (all.join() !== tags.join()) kept.current?.dispatchEvent(new Event("change", { bubbles: true }));
  }, [all.join()]);
  const errors = [name, ...all.map((_, index) => `${name}[${index}]`)].map((place) => sending.errorOf(place));
  return (
    <Field label={label} optional={optional} error={errors.find((one) => one !== null) ?? null} {...(hint !== undefined && { hint })}>
      {(given) => (
        <div
          class="tags-field"
          ref={box}
          onFocusOut={({ relatedTarget }) => {
            if (!(relatedTarget instanceof Node && box.current?.contains(relatedTarget))) setOpen(false);
          }}
        >
          <div class="tags-box">
            {chips.length > 0 && (
              <ul class="tags-chips">
                {chips.map((tag, index) => (
                  <li key={tag} class="tags-chip">
                    <span class="tags-name" title={tag}>
                      {tag}
                    </span>
                    {/* Has a name, so that the form knows that an error of this tag is shown here. */}
                    <button
                      type="button"
                      class="tags-remove"
                      name={`${name}[${index}]`}
                      aria-label={words.remove(tag)}
                      onClick={() => remove(tag)}
                    >
                      <Glyph name="cross" />
                    </button>
                  </li>
                ))}
              </ul>
            )}
            <input
              {...given}
              ref={input}
              class="tags-text"
              name={name}
              autoComplete="off"
              value={text}
              role="combobox"
              aria-autocomplete="list"
              aria-expanded={found.length > 0}
              aria-controls={listId}
              aria-activedescendant={found[at] === undefined ? undefined : `${listId}-${at}`}
              onInput={(event) => type(event.currentTarget.value)}
              onKeyDown={onKeyDown}
            />
          </div>
          <input ref={kept} type="hidden" name={`${name}[${chips.length}]`} value={all.join()} />
          <p class="hidden-visually" role="status">
            {said}
          </p>
          <div class="tags-found" id={listId} role="listbox" aria-label={words.suggestions} hidden={found.length === 0}>
            {found.map((tag, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys of a listbox act in its text field, which keeps the focus
              <div
                key={tag}
                id={`${listId}-${index}`}
                class="tags-found-one"
                role="option"
                aria-selected={index === at}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => add(tag)}
              >
                {tag}
              </div>
            ))}
          </div>
        </div>
      )}
    </Field>
  );
}
