import { useEffect, useState } from "preact/hooks";
import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { navigate, query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { useLoad } from "../use-load.ts";
import { en } from "../words/deposit/en.ts";
import { DepositFile } from "./deposit-file.tsx";
import { DepositSteps } from "./deposit-steps.tsx";
import { Steps, StepTitle } from "./steps.tsx";
import { Vaulting } from "./vaulting.tsx";

const w = en.deposit;

/** Deposits a document that was signed on paper or with another service. The draft is an envelope, whose id is in the address. */
export function Deposit() {
  const envelope_id = query.value.get("envelope");
  return (
    <Screen title={w.depositDocument} above={<Link to="/vault">{w.vaultedDocuments}</Link>} lead={w.forDocumentsThat}>
      <RequirePermission needs="vault:write" to={w.depositDocuments}>
        {envelope_id === null ? (
          <>
            <Steps at={1} />
            <section class="card stack">
              <StepTitle>{w.documentAndCustomer}</StepTitle>
              <DepositFile onUploaded={(envelope) => setQuery({ envelope })} />
            </section>
            <ApiCall
              operation="upload_document"
              given={{ params: { customer_id: "CUSTOMER_ID" } }}
              form={["file=@scan.pdf", "name=Lease"]}
            />
          </>
        ) : (
          <Uploaded key={envelope_id} envelope_id={envelope_id} />
        )}
      </RequirePermission>
    </Screen>
  );
}

function Uploaded({ envelope_id }: { envelope_id: string }) {
  const loaded = useLoad(envelope_id, () => call("get_envelope", { params: { envelope_id } }));
  const [isDeposited, setDeposited] = useState(false);
  const status = loaded.data?.status;
  useEffect(() => {
    if (status === "vaulted") navigate(`/vault/${envelope_id}`, { replace: true });
  }, [status]);
  if (loaded.error !== null) return <ErrorNotice error={loaded.error} onRetry={loaded.reload} />;
  if (loaded.data === null) return loaded.isSlow ? <Skeleton /> : null;
  if (isDeposited || status === "completed") return <Vaulting envelope_id={envelope_id} name={loaded.data.envelope_name} />;
  if (status !== "uploaded") return <p class="notice">{w.thisEnvelopeHas}</p>;
  return <DepositSteps draft={loaded.data} onDeposited={() => setDeposited(true)} />;
}
