import { file } from "../api.ts";
import { PagePicture } from "../parts/page-picture.tsx";

interface FirstPageProps {
  readonly envelope_id: string;
  /** counted through all documents */
  readonly page: number;
  readonly name: string;
}

/** A small picture of the first page of a document. */
export const FirstPage = ({ envelope_id, page, name }: FirstPageProps) => (
  <PagePicture
    class="prepare-first-page"
    alt={`First page of ${name}`}
    of={`${envelope_id} ${page}`}
    load={async () => (await file("get_envelope_page", { params: { envelope_id, page }, query: { w: "204" } })).blob}
  />
);
