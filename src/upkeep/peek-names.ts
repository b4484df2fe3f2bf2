/** Finds names and ids for completion: the interfaces reach storage only through src. */
export { peekNames } from "../../storage/upkeep/names.ts";
