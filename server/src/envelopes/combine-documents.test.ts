import { createPdfPool, type PdfPool } from "@countersign/pdf/pool";
import { describe, expect, onTestFinished, test } from "vitest";
import { pages } from "../../../pdf/fixtures/pages.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { SHARED_PROCESS } from "../../../testing/shared-process.ts";
import { chainOf } from "../../test/envelopes.ts";
import { landlord, tenant } from "../../test/lease.ts";
import { testService } from "../../test/service.ts";
import { addTo, type DraftOfSeveral, draftOfThree, emptyDraft, handover, lease, sendDraft } from "../../test/three-documents.ts";

const service = testService();

/** Documents are combined by these threads, until the test ends or calls the function that is returned. */
function combinedBy(combine: PdfPool["combine"]): () => void {
  const { envelopes } = service.features;
  const { pdf } = envelopes;
  const back = () => void Object.assign(envelopes, { pdf });
  onTestFinished(back);
  Object.assign(envelopes, { pdf: Object.assign(Object.create(pdf), { combine }) });
  return back;
}

const mailOf = ({ envelope_id }: DraftOfSeveral) =>
  service.database.owner("select kind from mail_messages where envelope_id = $1", [envelope_id]);
const eventsOf = async ({ key, envelope_id }: DraftOfSeveral): Promise<string[]> =>
  (await key.send("GET", `/webhooks/events?envelope_id=${envelope_id}`)).json.data.map(
    ({ event_type }: { event_type: string }) => event_type,
  );
const trailOf = async ({ org, envelope_id }: DraftOfSeveral): Promise<string[]> =>
  (await chainOf(service, org.org_id, envelope_id)).map(({ type }) => type);

/** Sends it, and proves that a refusal left everything as it was. */
async function refusedSend(one: DraftOfSeveral) {
  const { key, at } = one;
  const [before, trail] = [(await key.send("GET", at)).json.data, await trailOf(one)];
  const answer = await key.send("POST", `${at}/send`, { body: { signers: [tenant, landlord] } });
  expect((await key.send("GET", at)).json.data).toEqual(before);
  expect([await eventsOf(one), await trailOf(one), await mailOf(one)]).toEqual([["envelope.created"], trail, []]);
  return answer;
}

/** Nothing of the refused attempt stands in the way of the next. */
async function sendsOnce(one: DraftOfSeveral): Promise<void> {
  await sendDraft(one);
  expect(await eventsOf(one)).toEqual(["envelope.sent", "envelope.created"]);
  expect((await trailOf(one)).filter((type) => type === "document.prepared" || type === "envelope.sent")).toHaveLength(2);
  expect(await mailOf(one)).toEqual([{ kind: "signing_invitation" }]);
}

describe("documents that cannot be combined now", () => {
  test("422 if the work exceeds its deadline: nothing is sent, and a second send works", async () => {
    const one = await emptyDraft(service);
    await addTo(one, lease, "Lease");
    await addTo(one, writePdf(pages(1_200)), "Price list");
    await addTo(one, handover, "Handover");
    // Only the work counts, however little of it the machine allows at a time.
    const hasty = createPdfPool({ workers: 1, deadline_ms: 1, patience: 1_000_000, ...SHARED_PROCESS });
    onTestFinished(() => hasty.close());
    const back = combinedBy(hasty.combine);
    const { status, headers, json } = await refusedSend(one);
    expect([status, headers["x-error-code"], headers["retry-after"]]).toEqual([422, "pdf_too_complex", undefined]);
    expect(json.error).toMatch(/^The PDF is too large or complex: more than .* of work$/);
    expect(hasty.stats()).toMatchObject({ jobs: { "combine:too_complex": 1 }, kills: { deadline: 1 } });
    back();
    await sendsOnce(one);
  });

  test("503 with Retry-After while too many documents wait: nothing is sent, and a second send works", async () => {
    const one = await draftOfThree(service);
    const { pdf } = service.features.envelopes;
    const waiting: Promise<unknown>[] = [];
    const back = combinedBy((source, request, turn) => {
      for (let n = 0; n < 65; n++) waiting.push(pdf.inspect(lease, {}, { key: `org ${n}`, priority: "interactive" }).catch(() => null));
      return pdf.combine(source, request, turn);
    });
    const { status, headers } = await refusedSend(one);
    expect([status, headers["x-error-code"], headers["retry-after"]]).toEqual([503, "pdf_busy", "5"]);
    back();
    await Promise.all(waiting);
    await sendsOnce(one);
  });
});
