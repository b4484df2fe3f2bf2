/** What the operating system refuses, in words. */

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user may not do that",
  EPERM: "this user may not do that",
  EROFS: "the disk is mounted for reading only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOENT: "the place takes no files",
  ENOTDIR: "a part of its path is no folder",
  EEXIST: "something else is in its place",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "its path is too long",
  EIO: "the disk fails",
};

/** `ENOENT`, `SQLITE_FULL` and the like; undefined for an error that has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** The reason of an error of the file system, without a full stop; the system's own code where there is no word for it. */
export function describeSystemError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  return code === undefined ? error.message : (REASONS[code] ?? code);
}
