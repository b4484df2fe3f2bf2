/** The values of the flags of `fiscal documents export`. */
export const EXPORT_FORMATS = ["csv", "xlsx", "json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Words, because `;` ends a command in a shell. */
export const SEPARATORS = ["semicolon", "comma", "tab"] as const;
export type SeparatorWord = (typeof SEPARATORS)[number];

export const DECIMALS = ["comma", "point"] as const;
export type DecimalWord = (typeof DECIMALS)[number];
