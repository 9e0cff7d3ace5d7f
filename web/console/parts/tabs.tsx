import type { ComponentChildren } from "preact";
import { query, setQuery } from "../navigation.ts";

interface TabsProps<T extends string> {
  readonly label: string;
  readonly tabs: readonly (readonly [T, string])[];
  readonly children: (tab: T) => ComponentChildren;
}

/** Tabs of a screen. The current tab is in the address, so that it can be linked to. */
export function Tabs<T extends string>({ label, tabs, children }: TabsProps<T>) {
  const [first] = tabs;
  if (first === undefined) throw new Error("there must be at least one tab");
  const wanted = query.value.get("tab");
  const [tab] = tabs.find(([code]) => code === wanted) ?? first;
  const moved = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = tabs.findIndex(([code]) => code === tab);
    const [next] = tabs[(index + step + tabs.length) % tabs.length] ?? first;
    setQuery({ tab: next });
    requestAnimationFrame(() => document.getElementById(`tab-${next}`)?.focus());
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={moved}>
        {tabs.map(([code, name]) => (
          <button
            key={code}
            id={`tab-${code}`}
            type="button"
            role="tab"
            class="tab"
            aria-selected={code === tab}
            aria-controls="tab-panel"
            tabIndex={code === tab ? 0 : -1}
            onClick={() => setQuery({ tab: code === first[0] ? null : code })}
          >
            {name}
          </button>
        ))}
      </div>
      <div id="tab-panel" class="stack" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {children(tab)}
      </div>
    </>
  );
}
