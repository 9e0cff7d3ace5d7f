import type { PersonPaper } from "@countersign/client/pages";
import { useState } from "preact/hooks";
import { saveFile } from "../../save-file.ts";
import { call, download } from "../api.ts";
import { ActionButton, Card, Chip, ErrorNotice, Facts, Moment, NotLoaded, Screen } from "../parts.tsx";
import { hrefOf } from "../route.ts";
import { useLoad, useTask } from "../task.ts";
import { paperStates } from "./originals.tsx";

/** A record that is replaced by paper: its recipient downloads the PDF, prints it, and confirms that. */
export function Paper({ ending_id }: { ending_id: string }) {
  const loaded = useLoad(ending_id, () => call(`GET /papers/${ending_id}`));
  const above = <a href={hrefOf("originals")}>All originals</a>;
  const { data: paper, error } = loaded;
  if (paper === null) {
    return (
      <NotLoaded what="Paper original" above={above} error={error} onRetry={loaded.reload}>
        You are not asked to print such a paper original. It may have been sent to another address: log in with the address that received
        the e-mail.
      </NotLoaded>
    );
  }
  const [tone, words] = paperStates[paper.status];
  return (
    <Screen
      title={`${paper.envelope_name}, paper original`}
      above={above}
      lead={
        <>
          <Chip tone={tone}>{words}</Chip> {paper.org_name} asks you to print it
        </>
      }
    >
      <ErrorNotice error={error} onRetry={loaded.reload} />
      <p class={paper.status === "done" ? "notice good" : "notice"} role="status">
        {standing(paper)}
      </p>
      <About {...paper} />
      {paper.status === "begun" && <Print paper={paper} onChange={loaded.put} />}
      {paper.has_certificate && <Certificate {...paper} />}
    </Screen>
  );
}

function standing({ status, org_name }: PersonPaper): string {
  switch (status) {
    case "begun":
      return `The electronic original at ${org_name} has ended. The paper that you print replaces it.`;
    case "done":
      return `You confirmed that it is printed. The paper is the original, and ${org_name} keeps an electronic copy.`;
    case "cancelled":
      return `${org_name} withdrew this. The electronic original stays there.`;
  }
}

function About({ org_name, reason, sha256, pdf_sha256, begun_at, downloaded_at, done_at }: PersonPaper) {
  return (
    <Card title="What is replaced">
      <Facts
        facts={[
          ["From", org_name],
          ["Reason given", reason === "" ? "None" : reason],
          ["Electronic record ended", <Moment key="begun" at={begun_at} />],
          ["SHA-256 of the electronic original", <code key="hash">{sha256}</code>],
          ...(pdf_sha256 === null ? [] : [["SHA-256 of the PDF for printing", <code key="pdf">{pdf_sha256}</code>] as const]),
          ...(downloaded_at === null ? [] : [["First downloaded", <Moment key="downloaded" at={downloaded_at} />] as const]),
          ...(done_at === null ? [] : [["Closed", <Moment key="done" at={done_at} />] as const]),
        ]}
      />
    </Card>
  );
}

function Print({ paper, onChange }: { paper: PersonPaper; onChange: (now: PersonPaper) => void }) {
  const { ending_id, org_name } = paper;
  const [isDownloaded, setDownloaded] = useState(paper.downloaded_at !== null);
  const [downloading, confirming] = [useTask(), useTask()];
  const save = async () => {
    saveFile(await download(`/papers/${ending_id}/document`), `${ending_id}.pdf`);
    setDownloaded(true);
  };
  const confirm = async () => onChange(await call(`POST /papers/${ending_id}/confirm`));
  return (
    <>
      <Card title="1. Download and print the PDF">
        <p>
          Print it once, and keep the paper as the original. Each page says that the electronic record has ended. Each download is recorded.
        </p>
        <ErrorNotice error={downloading.error} />
        <ActionButton task={downloading} onAction={save}>
          Download the PDF
        </ActionButton>
      </Card>
      {isDownloaded && (
        <Card title="2. Confirm that it is printed">
          <p>
            From then on the paper is the original, and {org_name} keeps an electronic copy. The PDF can then no longer be downloaded here.
          </p>
          <ErrorNotice error={confirming.error} />
          <ActionButton task={confirming} onAction={confirm} kind="primary">
            It is printed
          </ActionButton>
        </Card>
      )}
    </>
  );
}

function Certificate({ ending_id }: PersonPaper) {
  const saving = useTask();
  const save = async () => saveFile(await download(`/papers/${ending_id}/certificate`), `${ending_id}-certificate.pdf`);
  return (
    <Card title="Certificate of conversion">
      <p>Sealed by the organization. It says when the electronic record ended, and who confirmed the paper.</p>
      <ErrorNotice error={saving.error} />
      <ActionButton task={saving} onAction={save}>
        Save the certificate
      </ActionButton>
    </Card>
  );
}
