import type { Template, UpdateTemplateRequest } from "@countersign/client/types";
import { changeIfSame } from "../api.ts";

/** A template with the tag of the state that the user sees. */
export interface LoadedTemplate {
  readonly data: Template;
  readonly tag: string | null;
}

/** Changes the template if it still is as the user saw it. */
export const saveTemplate = ({ data: { template_id }, tag }: LoadedTemplate, body: UpdateTemplateRequest): Promise<Template> =>
  changeIfSame("update_template", { params: { template_id }, body }, tag);
