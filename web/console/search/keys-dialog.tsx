import { Dialog } from "../../ui/dialog.tsx";
import { usesKeys } from "../uses-keys.ts";
import { en as listWords } from "../words/repeat/en.ts";
import { en } from "../words/search/en.ts";

const words = en.shortcuts;

/** The keys of the console, for those who press `?`. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={words.title} onClose={onClose}>
      <div class="stack">
        <KeyList title={words.everywhere} keys={words.everywhereKeys} />
        <KeyList title={words.list} keys={listWords.keys.table} />
        <p class="quiet small">{usesKeys.value ? words.note : words.off}</p>
      </div>
    </Dialog>
  );
}

function KeyList({ title, keys }: { title: string; keys: readonly (readonly [key: string, does: string])[] }) {
  return (
    <section class="stack tight">
      <h2>{title}</h2>
      <dl class="key-list">
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
