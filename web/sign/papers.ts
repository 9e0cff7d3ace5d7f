import { locale } from "../i18n/i18n.ts";
import { lazyWords } from "../i18n/lazy/lazy.ts";
import { fileName, saveFile } from "../save-file.ts";
import { runAction } from "./actions.ts";
import { call, callForFile } from "./api.ts";
import { flush } from "./autosave.ts";
import { opened } from "./ceremony.ts";
import { told } from "./told.ts";

/** What a signer can keep, and the ways to go on elsewhere: on paper, or later with the link that is sent again. */

const sender = (): string => opened.peek()?.envelope.sender ?? "";
const named = (suffix: string): string => `${fileName(opened.peek()?.envelope.name ?? "")}${suffix}.pdf`;

export const downloadDocument = (): Promise<boolean> => runAction(async () => saveFile(await callForFile("GET /document"), named("")));

export const downloadDisclosure = (): Promise<boolean> =>
  runAction(async () =>
    saveFile(await callForFile("GET /disclosure", { query: { lang: locale.value } }), named(` - ${lazyWords.value.consentText}`)),
  );

export const downloadCertificate = (): Promise<boolean> =>
  runAction(async () => saveFile(await callForFile("GET /completion-certificate"), named(` - ${lazyWords.value.certificate}`)));

/** Gives the document to sign in ink, and tells the sender. The document can still be signed here. */
export const signOnPaper = (): Promise<boolean> =>
  runAction(async () => {
    await flush();
    await call("POST /paper");
    saveFile(await callForFile("GET /paper"), named(""));
    told.value = lazyWords.value.paperDone(sender());
  });

/** Sends the link again, to the signer's own address. */
export const finishLater = (): Promise<boolean> =>
  runAction(async () => {
    await flush();
    const { sent_to } = await call("POST /finish-later");
    told.value = lazyWords.value.laterDone(sent_to);
  });
