import type { OrganizationSettings } from "@countersign/client/types";
import { useRef, useState } from "preact/hooks";
import { TextField } from "../parts/field.tsx";
import { useSending } from "../sending.ts";
import { en } from "../words/settings/en.ts";
import { type PartProps, SettingsPart } from "./part.tsx";

const words = en.origins;

/** The limit of the service. */
const MAX_ORIGINS = 50;

interface Line {
  /** keeps the input in its line when another line is removed */
  readonly key: number;
  readonly text: string;
}

let keys = 0;
const linesOf = (origins: readonly string[]): readonly Line[] => origins.map((text) => ({ key: ++keys, text }));

const isFilled = ({ text }: Pick<Line, "text">): boolean => text.trim() !== "";

/** Blank lines are not sent, so they do not count in the indexes of errors. */
const sentAt = (lines: readonly Line[], index: number): number => lines.slice(0, index).filter(isFilled).length;

/** One origin per line; errors are shown at their line. */
export function OriginsPart({ settings, onSaved, onChanged }: PartProps) {
  const sending = useSending();
  const [lines, setLines] = useState(() => linesOf(settings.embed_origins));
  const change = (to: readonly Line[]) => {
    // The errors may no longer match the lines.
    sending.clear();
    setLines(to);
  };
  const adding = useRef<HTMLButtonElement>(null);
  const add = () => {
    change([...lines, { key: ++keys, text: "" }]);
    // Focuses the new line once it is rendered.
    requestAnimationFrame(() => adding.current?.closest("fieldset")?.querySelector<HTMLElement>(".line:nth-last-child(2) input")?.focus());
  };
  const remove = (key: number) => {
    change(lines.filter((line) => line.key !== key));
    adding.current?.focus();
  };
  const embed_origins = lines.filter(isFilled).map(({ text }) => text.trim());
  const isSame = JSON.stringify(embed_origins) === JSON.stringify(settings.embed_origins);
  const saved = (now: OrganizationSettings) => {
    setLines(linesOf(now.embed_origins));
    onSaved(now);
  };
  return (
    <SettingsPart
      title={words.title}
      lead={words.lead}
      sending={sending}
      changes={isSame ? {} : { embed_origins }}
      onSaved={saved}
      onChanged={onChanged}
    >
      {lines.length === 0 && <p>{words.none}</p>}
      {lines.map(({ key, text }, index) => (
        <div class="line" key={key}>
          <TextField
            label={words.origin(index + 1)}
            name={`embed_origins[${sentAt(lines, index)}]`}
            type="url"
            inputMode="url"
            autoComplete="off"
            placeholder="https://"
            value={text}
            onText={(value) => change(lines.map((line) => (line.key === key ? { key, text: value } : line)))}
            {...(isFilled({ text }) && { sending })}
          />
          <button type="button" class="button" aria-label={words.removeOf(index + 1)} onClick={() => remove(key)}>
            {words.remove}
          </button>
        </div>
      ))}
      {lines.length < MAX_ORIGINS && (
        <div>
          <button ref={adding} type="button" class="button" onClick={add}>
            {words.add}
          </button>
        </div>
      )}
    </SettingsPart>
  );
}
