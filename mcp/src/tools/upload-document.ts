import { z } from "zod";
import { readBelow } from "../files-folder.ts";
import { DocumentId, EnvelopeId } from "../inputs.ts";
import { ToolRefused } from "../say-error.ts";
import { CHANGES, tool } from "../tool.ts";

export const uploadDocument = tool({
  name: "upload_document",
  title: "Upload a document",
  description:
    "Adds a PDF, PNG or JPEG file to a draft that you created, or replaces the file of one of its documents. The file must be below the folder that this server may read. Tags in the text of a PDF become fields.",
  hints: { ...CHANGES, idempotentHint: false },
  input: z.strictObject({
    envelope_id: EnvelopeId,
    path: z.string().describe("The path of the file, relative to the folder, such as contracts/lease.pdf"),
    name: z.string().optional().describe("The name of the document; by default that of the file"),
    replaces: DocumentId.optional().describe("The document whose file is replaced; without it, the document is added at the end"),
  }),
  run: async ({ client, settings }, { envelope_id, path, name, replaces }) => {
    if (settings.files === null) throw new ToolRefused("No file can be uploaded: this server was started without --files");
    if (name !== undefined && replaces !== undefined) throw new ToolRefused("Give name only for a document that is added");
    const { bytes, name: fileName } = await readBelow(settings.files, path);
    const file = { data: bytes, name: fileName };
    const { documents } = client.envelopes;
    return {
      data:
        replaces === undefined
          ? await documents.create(envelope_id, { file, name })
          : await documents.replace(envelope_id, replaces, { file }),
    };
  },
});
