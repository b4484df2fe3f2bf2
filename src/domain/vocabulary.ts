/** The fixed words of modes, providers, documents, events and calls. Storage declares them, because they are stored. */
export * from "../../storage/stored-values.ts";
