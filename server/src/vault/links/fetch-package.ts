import { type FetchMessage, writeLinkMessage } from "@countersign/evidence";
import { sendRequest } from "../../outbound/send-request.ts";
import { ensureInstanceKeys } from "../../seals/instance-keys.ts";
import { type LinkDeps, partiesOf, type RemoteVault, type VaultTransfer } from "./link.ts";

/** Why no package came. Another attempt may have more luck. */
export class PackageAway extends Error {
  override readonly name = "PackageAway";
}

/** Fetches the package from the sender, piece by piece. Each request is signed, and asking again for a piece gives the same bytes. */
export async function fetchPackage(
  deps: LinkDeps,
  one: VaultTransfer,
  { url }: RemoteVault,
  { package_sha256, package_size }: { readonly package_sha256: string; readonly package_size: number },
): Promise<Buffer> {
  const { records, at } = await ensureInstanceKeys(deps.seals);
  const whole = Buffer.alloc(package_size);
  let offset = 0;
  while (offset < package_size) {
    const message: FetchMessage = {
      ...partiesOf(one),
      type: "countersign/link/1/fetch",
      at: at.toISOString(),
      key_id: records.key_id,
      package_sha256,
      offset,
    };
    const bytes = Buffer.from(writeLinkMessage(message));
    const signature = Buffer.from(await records.sign(bytes));
    const piece = await askFor(deps, url, { bytes, signature });
    if (piece.length === 0 || offset + piece.length > package_size) throw new PackageAway("the package has another size than announced");
    piece.copy(whole, offset);
    offset += piece.length;
  }
  return whole;
}

async function askFor({ links }: LinkDeps, url: string, signed: { bytes: Buffer; signature: Buffer }): Promise<Buffer> {
  const body = Buffer.from(JSON.stringify({ bytes: signed.bytes.toString("base64"), signature: signed.signature.toString("base64") }));
  const headers = { "content-type": "application/json", accept: "application/json" };
  const request = { method: "POST", url: `${url}/vault-link/v1/packages`, headers, body } as const;
  const result = await sendRequest(links.bulk, request, new AbortController().signal);
  if (result.kind === "failed") throw new PackageAway(result.error);
  if (result.code !== 200 || !result.complete) throw new PackageAway(`status ${result.code}`);
  const { data } = JSON.parse(result.body.toString("utf8")) as { data?: { piece?: unknown } };
  if (typeof data?.piece !== "string") throw new PackageAway("the answer has no piece of the package");
  return Buffer.from(data.piece, "base64");
}
