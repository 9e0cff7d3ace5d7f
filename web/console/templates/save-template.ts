import type { Template, UpdateTemplateRequest } from "@countersign/client/types";
import { ApiError } from "../../http.ts";
import { call } from "../api.ts";
import { changeIfSame } from "../guards.ts";

/** A template with the tag of the state that the user sees. */
export interface LoadedTemplate {
  readonly data: Template;
  readonly tag: string | null;
}

/** Changes the template if it still is as the user saw it. A change that was made already, because its answer was lost, is not refused. */
export async function saveTemplate({ data: { template_id }, tag }: LoadedTemplate, body: UpdateTemplateRequest): Promise<Template> {
  const params = { template_id };
  try {
    return await changeIfSame("update_template", { params, body }, tag);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 412) throw error;
    const now = await call("get_template", { params });
    if (!isIn(now, body)) throw error;
    return now;
  }
}

/** Whether the template has this name and these tags. The people and the defaults are compared by the service only. */
function isIn(now: Template, { name, tags, ...others }: UpdateTemplateRequest): boolean {
  const keysOf = (all: readonly string[]) => JSON.stringify(all.map((tag) => tag.toLowerCase()).sort());
  return Object.keys(others).length === 0 && now.name === (name ?? now.name).trim() && keysOf(now.tags) === keysOf(tags ?? now.tags);
}
