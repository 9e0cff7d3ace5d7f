import { dateAndTime } from "../../i18n/i18n.ts";
import { vault } from "../../i18n/vault/vault.ts";
import { Icon } from "../../ui/icons.tsx";
import { download } from "../actions.ts";
import { hasCopies, isDamaged, record } from "../record.ts";
import { ActionButton, Failure } from "./action-button.tsx";
import { CheckFile } from "./check-file.tsx";
import { Custody, Party } from "./custody.tsx";
import { Evidence } from "./evidence.tsx";
import { Facts } from "./facts.tsx";
import { Score } from "./score.tsx";
import { Verify } from "./verify.tsx";

export function RecordPart() {
  return (
    <>
      <Head />
      <Verify />
      <Facts />
      <Custody />
      <Party />
      <Evidence />
      <CheckFile />
    </>
  );
}

function Head() {
  const now = record.value;
  if (now === null) return null;
  const { state } = now.copy;
  const { revision, evaluated_at } = now.certificate;
  return (
    <section class="stack tight">
      <div class={isDamaged.value ? "head bad" : "head"} role={isDamaged.value ? "alert" : undefined}>
        <Icon name={isDamaged.value ? "bad" : state === "active" || state === "escrowed" ? "good" : "note"} />
        <div>
          <h2 tabIndex={-1}>{vault.value.state[state]}</h2>
          <p class="small">{vault.value.stateLead[state]}</p>
          {isDamaged.value && <p class="small">{vault.value.tamperedWhere}</p>}
        </div>
      </div>
      <div>
        <Score />
        <p class="small quiet">{vault.value.certificateOf(revision, dateAndTime(evaluated_at))}</p>
      </div>
      {hasCopies.value && (
        <ActionButton action="copy" kind="primary" run={() => download("copy")}>
          {vault.value.downloadCopy}
        </ActionButton>
      )}
      <div class="certificates">
        <ActionButton action="certificate" run={() => download("certificate")}>
          {vault.value.certificate}
        </ActionButton>
        <ActionButton action="json" label={vault.value.certificateJson} run={() => download("json")}>
          JSON
        </ActionButton>
      </div>
      <Failure actions={["copy", "certificate", "json"]} />
    </section>
  );
}
