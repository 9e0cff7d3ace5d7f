import type { Mark } from "@countersign/client/pages";
import { hostOptions } from "../../host-options.ts";
import { words } from "../../i18n/i18n.ts";

export type Kind = Mark["kind"];

const kindOf: Readonly<Record<string, Kind>> = { draw: "drawn", type: "typed", upload: "uploaded" };
const all: readonly Kind[] = ["drawn", "typed", "uploaded"];

/** The ways that the host page allows. A list without a known word allows all, because without any no one could sign. */
export function allowedKinds(): readonly Kind[] {
  const chosen = (hostOptions.value.methods ?? []).flatMap((word) => kindOf[word] ?? []);
  return chosen.length === 0 ? all : all.filter((kind) => chosen.includes(kind));
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

interface TabsProps {
  readonly kind: Kind;
  readonly onChoose: (kind: Kind) => void;
}

/** The ways to create a mark. One Tab stop; the arrow keys move between the tabs and wrap around. */
export function Tabs({ kind, onChoose }: TabsProps) {
  const names = { drawn: words.value.draw, typed: words.value.type, uploaded: words.value.upload };
  const kinds = allowedKinds();
  const walk = (event: KeyboardEvent) => {
    const next = kinds.at((kinds.indexOf(kind) + (steps[event.key] ?? 0)) % kinds.length);
    if (steps[event.key] === undefined || next === undefined) return;
    event.preventDefault();
    onChoose(next);
    document.getElementById(tabOf(next))?.focus();
  };
  return (
    <div class="adopt-tabs" role="tablist" aria-label={words.value.method} onKeyDown={walk}>
      {kinds.map((one) => (
        <button
          key={one}
          id={tabOf(one)}
          type="button"
          role="tab"
          aria-selected={one === kind}
          aria-controls="adopt-panel"
          tabIndex={one === kind ? 0 : -1}
          onClick={() => onChoose(one)}
        >
          {names[one]}
        </button>
      ))}
    </div>
  );
}

export const tabOf = (kind: Kind): string => `adopt-${kind}`;
