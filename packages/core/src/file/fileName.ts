import { type FileType, fileTypes } from "./FileType.ts"
import { maxNameLength } from "./StoredFile.ts"

/**
 * Normalizes a file name: the last segment of a path, without invisible characters. An empty name is replaced by a
 * default.
 */
export const fileName = (given: string, type: FileType): string => {
  const last = given.toWellFormed().replace(/^.*[/\\]/s, "").replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, "")
    .trim()
  return last === "" || /^\.+$/.test(last) ? `file.${fileTypes[type].extension}` : last
}

/** Whether a name exceeds the maximum length. */
export const isTooLong = (name: string): boolean => name.length > 2 * maxNameLength || [...name].length > maxNameLength
