import { useRef } from "preact/hooks";
import { call } from "../api.ts";
import { navigate } from "../navigation.ts";
import { me } from "../session.ts";
import { SAMPLE_NAME, SAMPLE_ROLE, samplePdf } from "./sample-pdf.ts";

/** Creates an envelope with the sample document for the current user, and opens it in the wizard. */
export function usePrepareSample(): () => Promise<void> {
  // After a failed upload, the next attempt uses the envelope that already exists.
  const made = useRef<string | null>(null);
  return async () => {
    made.current ??= await createEnvelope();
    const file = new File([samplePdf()], "sample-agreement.pdf", { type: "application/pdf" });
    await call("attach_document", { params: { envelope_id: made.current }, body: { file } });
    navigate(`/envelopes/${made.current}/prepare`);
  };
}

async function createEnvelope(): Promise<string> {
  const { name, email } = me().user;
  const body = {
    envelope_name: SAMPLE_NAME,
    customer_name: name,
    customer_email: email,
    signers: [{ name, email, role: SAMPLE_ROLE }],
  };
  return (await call("create_envelope", { body })).envelope_id;
}
