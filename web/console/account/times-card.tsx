import { useState } from "preact/hooks";
import { Card } from "../parts/card.tsx";
import { SelectField } from "../parts/field.tsx";
import { local } from "../parts/when.tsx";
import { serverNow } from "../server-now.ts";
import { en } from "../words/account/en.ts";
import { chosenZone, timeZone } from "../zone.ts";
import { chooseZone, zones } from "./choose-zone.ts";

const words = en.times;

/** In which time zone the user reads and enters times. */
export function TimesCard() {
  const [isLost, setLost] = useState(false);
  const choices = zones().map((zone) => [zone, zone === "" ? words.ofComputer : zone.replaceAll("_", " ")] as const);
  return (
    <Card title={words.title}>
      <div class="form">
        <SelectField
          label={words.zone}
          name="time_zone"
          hint={words.hint}
          value={chosenZone()}
          choices={choices}
          onChoice={(zone) => setLost(!chooseZone(zone))}
        />
        <p role="status">{words.now(local(new Date(serverNow()).toISOString()), timeZone())}</p>
        {isLost && <p role="status">{en.developers.notStored}</p>}
      </div>
    </Card>
  );
}
