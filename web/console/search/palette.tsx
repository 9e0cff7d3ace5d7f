import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { cut } from "../parts/cut.tsx";
import { refusalSentence } from "../parts/fault-sentence.ts";
import { Glyph } from "../parts/glyph.tsx";
import { en as words } from "../words/search/en.ts";
import { type GroupName, type Hit, localHits, sourcesOf } from "./sources.ts";

// Long enough not to ask for every letter, short enough not to be noticed.
const PAUSE_MS = 150;
const LEAST_LETTERS = 2;

interface Found {
  readonly hits: readonly Hit[];
  /** why this group could not be searched */
  readonly error: string | null;
}

interface Group {
  readonly name: GroupName;
  readonly hits: readonly Hit[];
}

/** What the service found for a text, as each source answers. Answers to an older text are dropped. */
function useFound(search: string): { readonly found: ReadonlyMap<GroupName, Found>; readonly isBusy: boolean } {
  const sources = useMemo(sourcesOf, []);
  const [state, setState] = useState<{ search: string; found: ReadonlyMap<GroupName, Found> }>({ search: "", found: new Map() });
  const isAsked = isSearchable(search) && sources.length > 0;
  useEffect(() => {
    if (!isAsked) return;
    let isCurrent = true;
    const put = (name: GroupName, one: Found) =>
      isCurrent && setState((now) => ({ search, found: new Map(now.search === search ? now.found : []).set(name, one) }));
    const timer = setTimeout(() => {
      for (const [name, find] of sources) {
        find(search).then(
          (hits) => put(name, { hits, error: null }),
          (error: unknown) =>
            put(name, { hits: [], error: error instanceof ApiError ? refusalSentence(error) : words.failed(words.groups[name]) }),
        );
      }
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [search, isAsked]);
  const found = state.search === search ? state.found : new Map<GroupName, Found>();
  return { found, isBusy: isAsked && found.size < sources.length };
}

const isSearchable = (search: string): boolean => search.length >= LEAST_LETTERS && /[\p{L}\p{N}]/u.test(search);

/** A combobox over everything (WAI-ARIA: the focus stays in the text field, which names the chosen option). */
export function Palette({ onClose }: { onClose: () => void }) {
  const id = useId();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const search = text.trim();
  const { found, isBusy } = useFound(search);
  const groups = groupsOf(search, found);
  const hits = groups.flatMap((group) => group.hits);
  const at = Math.min(chosen, Math.max(0, hits.length - 1));
  useEffect(() => input.current?.focus(), []);
  useEffect(() => document.getElementById(optionId(id, at))?.scrollIntoView({ block: "nearest" }), [at, hits.length]);
  const open = (hit: Hit) => {
    onClose();
    hit.onOpen();
  };
  const move = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 };
    const step = steps[event.key];
    if (step !== undefined && hits.length > 0) setChosen(movedBy(at, step, hits.length));
    const hit = hits[at];
    if (event.key === "Enter" && hit !== undefined) open(hit);
    if (step !== undefined || event.key === "Enter") event.preventDefault();
  };
  const errors = [...found.values()].flatMap(({ error }) => error ?? []);
  return (
    <Dialog title={words.search} onClose={onClose}>
      <div class="finder">
        <div class="finder-text">
          <Glyph name="search" />
          <input
            ref={input}
            class="input"
            type="text"
            role="combobox"
            aria-label={words.button}
            aria-expanded={hits.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={hits.length > 0 ? optionId(id, at) : undefined}
            placeholder={words.placeholder}
            autoComplete="off"
            spellcheck={false}
            maxLength={200}
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value);
              setChosen(0);
            }}
            onKeyDown={move}
          />
        </div>
        <p class="hidden-visually" role="status">
          {isBusy ? words.searching : words.results(hits.length)}
        </p>
        <div id={`${id}-list`} class="finder-list" role="listbox" aria-label={words.search}>
          {groups.map((group) => (
            <HitGroup
              key={group.name}
              id={id}
              group={group}
              from={hits.indexOf(group.hits[0] as Hit)}
              at={at}
              onOpen={open}
              onPoint={setChosen}
            />
          ))}
        </div>
        {hits.length === 0 && <p class="quiet finder-note">{isBusy ? words.searching : words.none(search)}</p>}
        {errors.map((error) => (
          <p key={error} class="error finder-note" role="alert">
            {error}
          </p>
        ))}
        <p class="quiet small finder-note">{words.hint}</p>
      </div>
    </Dialog>
  );
}

/** One step wraps around, a page does not. */
const movedBy = (at: number, step: number, count: number): number =>
  Math.abs(step) === 1 ? (at + step + count) % count : Math.min(count - 1, Math.max(0, at + step));

const optionId = (id: string, index: number): string => `${id}-option-${index}`;

const ORDER: readonly GroupName[] = ["envelopes", "customers", "contacts", "templates", "vault", "actions", "screens"];

/** What a person is looking for by its name comes before the screens. */
function groupsOf(search: string, found: ReadonlyMap<GroupName, Found>): readonly Group[] {
  const all = new Map<GroupName, readonly Hit[]>(localHits(search));
  for (const [name, { hits }] of found) all.set(name, hits);
  return ORDER.map((name) => ({ name, hits: all.get(name) ?? [] })).filter(({ hits }) => hits.length > 0);
}

interface HitGroupProps {
  readonly id: string;
  readonly group: Group;
  /** the number of its first hit */
  readonly from: number;
  readonly at: number;
  readonly onOpen: (hit: Hit) => void;
  readonly onPoint: (index: number) => void;
}

function HitGroup({ id, group: { name, hits }, from, at, onOpen, onPoint }: HitGroupProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options in a listbox
    <div role="group" aria-labelledby={`${id}-${name}`}>
      <p class="finder-group" id={`${id}-${name}`}>
        {words.groups[name]}
      </p>
      {hits.map((hit, index) => (
        <div
          key={hit.id}
          id={optionId(id, from + index)}
          class="finder-hit"
          role="option"
          tabIndex={-1}
          aria-selected={from + index === at}
          onPointerMove={() => onPoint(from + index)}
          // The key acts in the text field, which has the focus.
          onKeyDown={() => undefined}
          onClick={() => onOpen(hit)}
        >
          <span>{cut(hit.name)}</span>
          {hit.detail !== undefined && <span class="quiet small">{hit.detail}</span>}
        </div>
      ))}
    </div>
  );
}
