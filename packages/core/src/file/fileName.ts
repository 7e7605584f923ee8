import { type FileType, fileTypes } from "./FileType.ts"
import { maxNameLength } from "./StoredFile.ts"

/**
 * What a file is called: the last part of the path that its sender may have written,
 * without characters that have no look, and with a name for one that has none.
 *
 * @category converting
 */
export const fileName = (given: string, type: FileType): string => {
  const last = given.toWellFormed().replace(/^.*[/\\]/s, "").replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, "")
    .trim()
  return last === "" || /^\.+$/.test(last) ? `file.${fileTypes[type].extension}` : last
}

/**
 * Whether a name has more characters than one may have.
 *
 * @category predicates
 */
export const isTooLong = (name: string): boolean => name.length > 2 * maxNameLength || [...name].length > maxNameLength
