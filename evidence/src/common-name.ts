/**
 * The common name of a certificate's subject; the whole subject if it has none.
 * @example commonName("C=DE, O=Example, CN=Example Time") // "Example Time"
 */
export const commonName = (subject: string): string => /(?:^|,\s*)CN=([^,]+)/.exec(subject)?.[1]?.trim() ?? subject;
