import { useState } from "preact/hooks";
import { Card } from "../parts/card.tsx";
import { Checkbox } from "../parts/field.tsx";
import { setUsesKeys, usesKeys } from "../uses-keys.ts";
import { en } from "../words/repeat/en.ts";

const words = en.keys;

/** The keys of the list of envelopes, and whether those of a single character act. */
export function KeysCard() {
  const [isLost, setLost] = useState(false);
  return (
    <Card title={words.title}>
      <p class="quiet">{words.lead}</p>
      <Checkbox label={words.use} hint={words.useHint} checked={usesKeys.value} onCheck={(isOn) => setLost(!setUsesKeys(isOn))} />
      {isLost && <p role="status">{words.notStored}</p>}
      <div class="table-box">
        <table class="table">
          <caption class="hidden-visually">{words.title}</caption>
          <thead>
            <tr>
              <th scope="col">{words.key}</th>
              <th scope="col">{words.does}</th>
            </tr>
          </thead>
          <tbody>
            {words.table.map(([key, does]) => (
              <tr key={key}>
                <th scope="row">
                  <kbd>{key}</kbd>
                </th>
                <td data-head={words.does}>{does}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
