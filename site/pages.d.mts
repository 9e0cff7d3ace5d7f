export declare const guides: readonly { readonly title: string; readonly files: readonly string[]; readonly isFolded?: boolean }[];
export declare const downloads: Readonly<Record<string, string>>;
export declare const tags: readonly { readonly title: string; readonly tags: Readonly<Record<string, string>> }[];
