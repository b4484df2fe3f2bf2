/** The schema version of this program: the number of its newest migration. */
export const SCHEMA_VERSION = 3;
