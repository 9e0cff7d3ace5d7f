import type { PageText } from "../../pages/page-texts.ts";
import { file, get, send } from "../api.ts";
import type { PageSize } from "./field.ts";
import type { Area } from "./geometry.ts";
import type { PresentField } from "./wire.ts";

/** A template's document or an envelope's: the same calls under another path. */

export interface Of {
  readonly kind: "template" | "envelope";
  readonly id: string;
}

export interface Prepared {
  readonly roles: readonly string[];
  readonly pages: readonly (PageSize & { readonly has_text: boolean })[];
  readonly fields: readonly PresentField[];
}

export interface Placed {
  readonly fields: readonly Pick<PresentField, "areas" | "anchor_match">[];
  readonly warnings?: readonly { readonly code: string; readonly message: string }[];
  /** of a dry run */
  readonly anchors?: readonly { readonly field: number; readonly matches: readonly Area[] }[];
}

export const pathOf = ({ kind, id }: Of): string => `/partner/${kind}s/${id}`;

export const lookUp = (of: Of): Promise<Prepared> => get<Prepared>(of.kind === "template" ? pathOf(of) : `${pathOf(of)}/fields`);

export const pictureOf = async (of: Of, page: number, fine: boolean): Promise<Blob> =>
  (await file(`${pathOf(of)}/pages/${page}`, { w: fine ? 2448 : 1224 })).blob;

export const wordsOf = (of: Of, page: number): Promise<PageText> => get<PageText>(`${pathOf(of)}/pages/${page}/text`);

export const replaceFields = (of: Of, fields: readonly object[]): Promise<Placed> =>
  send<Placed>("PUT", `${pathOf(of)}/fields`, { body: { fields } });

/** Nothing is stored: only where the words are. */
export async function findAnchor(of: Of, field: object): Promise<readonly Area[]> {
  const { anchors = [] } = await send<Placed>("POST", `${pathOf(of)}/fields`, { query: { dry_run: true }, body: { fields: [field] } });
  return anchors[0]?.matches ?? [];
}
