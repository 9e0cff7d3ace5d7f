import type { FunctionComponent } from "preact";
import { isWide } from "../ui/screen-size.ts";
import { Banners } from "./banners.tsx";
import { ChecksPart } from "./parts/checks.tsx";
import { LogPart } from "./parts/log.tsx";
import { RecordPart } from "./parts/record.tsx";
import type { Tab } from "./record.ts";
import { selected, Tabs, tabId } from "./tabs.tsx";

const parts: Record<Exclude<Tab, "document">, FunctionComponent> = { record: RecordPart, checks: ChecksPart, log: LogPart };

export function Panel() {
  const now = selected();
  if (now === "document") return null;
  const Part = parts[now];
  return (
    <section class="panel">
      {isWide.value ? <Tabs /> : <Banners />}
      <div id="record" role="tabpanel" aria-labelledby={tabId(now)} class="panel-inside stack" key={now}>
        <Part />
      </div>
    </section>
  );
}
