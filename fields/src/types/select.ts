import type { FieldType } from "../field-type.ts";
import { oneOfOptions } from "../parts.ts";

export const select: FieldType = { ...oneOfOptions, type: "select", draw: "text", control: "select", size_pt: [180, 22] };
