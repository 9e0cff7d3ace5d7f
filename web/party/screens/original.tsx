import type { PersonExport } from "@countersign/client/pages";
import { useState } from "preact/hooks";
import { canHash, sha256Of } from "../../hash.ts";
import { saveFile } from "../../save-file.ts";
import { call, download } from "../api.ts";
import { openPackage } from "../open-package.ts";
import { ActionButton, Card, Chip, ErrorNotice, Facts, Moment, NotLoaded, Screen } from "../parts.tsx";
import { hrefOf } from "../route.ts";
import { useLoad, useTask } from "../task.ts";
import { exportStates } from "./originals.tsx";

/** One original that is handed over: its package, taking it over, and then its key and receipt. */
export function Original({ export_id }: { export_id: string }) {
  const loaded = useLoad(export_id, () => call(`GET /exports/${export_id}`));
  const above = <a href={hrefOf("originals")}>All originals</a>;
  const { data: one, error } = loaded;
  if (one === null) {
    return (
      <NotLoaded what="Original" above={above} error={error} onRetry={loaded.reload}>
        No such original is handed over to you. It may have been sent to another address: log in with the address that received the e-mail.
      </NotLoaded>
    );
  }
  const [tone, words] = exportStates[one.status];
  return (
    <Screen
      title={one.envelope_name}
      above={above}
      lead={
        <>
          <Chip tone={tone}>{words}</Chip> {one.org_name} hands this original over to {one.recipient_name}
        </>
      }
    >
      <ErrorNotice error={error} onRetry={loaded.reload} />
      <p class={one.status === "acknowledged" ? "notice good" : "notice"} role="status">
        {standing(one)}
      </p>
      <About {...one} />
      {(one.status === "escrowed" || one.status === "acknowledged") && <Steps one={one} onChange={loaded.reload} />}
    </Screen>
  );
}

function standing({ status, org_name }: PersonExport): string {
  switch (status) {
    case "escrowed":
      return `The original is with ${org_name} until you take it over.`;
    case "acknowledged":
      return `You took the original over. ${org_name} keeps a copy.`;
    case "cancelled":
      return `${org_name} withdrew this. The original stays there, and the package can never be opened.`;
    case "expired":
      return `You did not take the original over in time. It stays with ${org_name}, and the package can never be opened.`;
  }
}

function About({ org_name, reason, sha256, package_sha256, package_size, created_at, expires_at, closed_at }: PersonExport) {
  return (
    <Card title="What is handed over">
      <Facts
        facts={[
          ["From", org_name],
          ["Reason given", reason],
          ["SHA-256 of the document", <code key="hash">{sha256}</code>],
          ["Package", `${Math.ceil(package_size / 1024)} KB, encrypted`],
          ["SHA-256 of the package", <code key="package">{package_sha256}</code>],
          ["Packed", <Moment key="packed" at={created_at} />],
          closed_at === null ? ["Expires", <Moment key="expires" at={expires_at} />] : ["Closed", <Moment key="closed" at={closed_at} />],
        ]}
      />
    </Card>
  );
}

/** The package stays in this window, so that it can be opened here once the key is released. */
function Steps({ one, onChange }: { one: PersonExport; onChange: () => Promise<void> }) {
  const { export_id, org_name, status } = one;
  const [file, setFile] = useState<Blob | null>(null);
  const [key, setKey] = useState<string | null>(null);
  const [downloading, taking, opening] = [useTask(), useTask(), useTask()];
  const isTaken = status === "acknowledged";
  const fetchPackage = async (): Promise<Blob> => {
    const blob = await download(`/exports/${export_id}/package`);
    setFile(blob);
    return blob;
  };
  const save = async () => saveFile(await fetchPackage(), `${export_id}.csvx`);
  const takeOver = async () => {
    const package_sha256 = await sha256Of(file ?? (await fetchPackage()));
    const taken = await call(`POST /exports/${export_id}/acknowledge`, { body: { package_sha256 } });
    setKey(taken.key);
    const kept = { export_id, key: taken.key, receipt: taken.receipt };
    saveFile(new Blob([JSON.stringify(kept, null, 2)], { type: "application/json" }), `${export_id}-key-and-receipt.json`);
    await onChange();
  };
  const open = async (secret: string) => saveFile(await openPackage(file ?? (await fetchPackage()), secret, one), `${export_id}.zip`);
  if (!canHash) return <p class="notice">This browser cannot check the package on this page. Open the page with https.</p>;
  return (
    <>
      <Card title="1. Download the package">
        <p>The package contains the original and its evidence. It is encrypted, and can be opened when you have taken the original over.</p>
        <ErrorNotice error={downloading.error} />
        <ActionButton task={downloading} onAction={save}>
          Download the package
        </ActionButton>
      </Card>
      {(file !== null || isTaken) && (
        <Card title={isTaken ? "2. Key and receipt" : "2. Take the original over"}>
          <p>
            {isTaken
              ? "The key opens the package. The receipt is the signed statement of this installation that the original was handed over to you. Each time you fetch them is recorded."
              : `From then on you have the original, and ${org_name} keeps a copy. This cannot be undone. A file with the key of the package and a signed receipt is saved on this device.`}
          </p>
          <ErrorNotice error={taking.error} />
          <ActionButton task={taking} onAction={takeOver} kind={isTaken ? "plain" : "primary"}>
            {isTaken ? "Save key and receipt" : "Take the original over"}
          </ActionButton>
        </Card>
      )}
      {key !== null && (
        <Card title="3. Open the package">
          <Facts facts={[["Key", <code key="key">{key}</code>]]} />
          <p>The package is opened in this browser. The ZIP file contains the original, authoritative.pdf, and how to verify it.</p>
          <ErrorNotice error={opening.error} />
          <ActionButton task={opening} onAction={() => open(key)}>
            Save the opened package
          </ActionButton>
        </Card>
      )}
    </>
  );
}
