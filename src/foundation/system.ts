/** Passes on what every layer may use of storage: errors of the system and the database, ids, folders and private files. */
export { isStorageFailure, StorageError } from "../../storage/database/errors.ts";
export { isId } from "../../storage/database/ids.ts";
export { codeOf, explainSystemError } from "../../storage/database/errors.ts";
export { makePath, writePrivateFile } from "../../storage/files/folder.ts";
