import { type CheckedFile, type Status, utc } from "./status.ts";

/** What the page says. Only what the installation has recorded; nothing about what follows from it. */

export interface StateWords {
  readonly tone: "plain" | "gone" | "bad";
  readonly title: string;
  readonly meaning: (status: Status) => string;
}

const since = ({ state_since }: Status): string => (state_since === null ? "" : ` on ${utc(state_since)}`);

export const states: Readonly<Record<Status["state"], StateWords>> = {
  active: {
    tone: "plain",
    title: "In the vault",
    meaning: ({ stored_at }) => `The authoritative copy is kept in this vault. It was stored on ${utc(stored_at)}.`,
  },
  escrowed: {
    tone: "plain",
    title: "In the vault, release begun",
    meaning: ({ stored_at }) =>
      `The authoritative copy is kept in this vault, where it was stored on ${utc(stored_at)}. Its release from this vault has begun and is not complete.`,
  },
  exported: {
    tone: "gone",
    title: "Left this vault",
    meaning: (status) => `The authoritative copy left this vault${since(status)}. What this vault still holds is a copy.`,
  },
  tampered: {
    tone: "bad",
    title: "Found damaged",
    meaning: (status) =>
      `The stored bytes or their records were found altered or missing${since(status)}. Nothing is handed out until that is mended.`,
  },
  destroyed: {
    tone: "gone",
    title: "Destroyed",
    meaning: (status) => `The authoritative copy was destroyed${since(status)}. Its record is kept.`,
  },
};

export interface FileWords {
  readonly tone: "good" | "plain" | "caution";
  readonly title: string;
  readonly meaning: string;
}

export function fileWords({ known_as, revision }: CheckedFile, { state, certificate }: Status): FileWords {
  switch (known_as) {
    case "authoritative":
      return {
        tone: "good",
        title: state === "active" || state === "escrowed" ? "This file is the stored original." : "This file has the hash of the original.",
        meaning: "Its SHA-256 is the one that is recorded for the authoritative copy.",
      };
    case "certificate":
      return {
        tone: "plain",
        title: "This file is not the stored original.",
        meaning:
          `It is certificate revision ${revision} of this record, unchanged.` +
          (revision === certificate.revision ? " There is no later one." : ` The latest is revision ${certificate.revision}.`),
      };
    case "copy":
      return {
        tone: "plain",
        title: "This file is not the stored original.",
        meaning: "It is a copy that this installation handed out, unchanged.",
      };
    case "signed":
      return {
        tone: "plain",
        title: "This file is not the stored original.",
        meaning: "It is the signed document as this installation handed it out before it was stored in the vault, unchanged.",
      };
    case null:
      return {
        tone: "caution",
        title: "This file is not the stored original.",
        meaning:
          "This vault knows no such file of this record: it is neither a copy that was handed out nor a certificate. One changed byte is enough for that.",
      };
  }
}
