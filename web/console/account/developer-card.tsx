import { useState } from "preact/hooks";
import { apiCalls } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { Checkbox } from "../parts/field.tsx";
import { en } from "../words/account/en.ts";

const words = en.developers;

/** Whether screens show the API calls behind them. */
export function DeveloperCard() {
  const [isLost, setLost] = useState(false);
  return (
    <Card title={words.title}>
      <Checkbox label={words.calls} hint={words.callsHint} checked={apiCalls.isOn.value} onCheck={(isOn) => setLost(!apiCalls.set(isOn))} />
      {isLost && <p role="status">{words.notStored}</p>}
    </Card>
  );
}
