/** What a copy says about itself, on each page and in its seal. Writers and verifiers use these words. */
export const COPY_MARK = "COPY, not the authoritative copy";

export const copySealReason = (envelope_id: string): string => `Copy of ${envelope_id}, not the authoritative copy`;
