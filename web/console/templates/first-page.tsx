import { file } from "../api.ts";
import { PagePicture } from "../parts/page-picture.tsx";

/** A picture of the first page of a template. */
export const FirstPage = ({ template_id }: { template_id: string }) => (
  <PagePicture
    class="first-page"
    of={template_id}
    load={async () => (await file("get_template_page", { params: { template_id, page: 1 } })).blob}
  />
);
