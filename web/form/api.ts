import type { ConfirmFormRequest, FormCopy, StartFormRequest } from "@countersign/client/pages";
import { expectOk, readData } from "../http.ts";
import type { AddressOf } from "../widget-operations.ts";
import { slug } from "./visit.ts";

const post = (address: AddressOf<"start_form" | "confirm_form">, body: StartFormRequest | ConfirmFormRequest): Promise<Response> =>
  fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

const ACCEPTED = 202;

/** The address of the signing page; null if the visitor has to look for a message. */
export async function startForm(body: StartFormRequest): Promise<string | null> {
  const response = await expectOk(post(`/api/v2/forms/${slug}/start`, body));
  if (response.status === ACCEPTED) return null;
  return ((await response.json()) as { readonly data: FormCopy }).data.embed_url;
}

export const confirmForm = async (code: string): Promise<string> =>
  (await readData<FormCopy>(post(`/api/v2/forms/${slug}/confirm`, { code }))).embed_url;
