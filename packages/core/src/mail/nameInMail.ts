import { withoutLinks } from "../wire/webAddress.ts"
import { toSingleLine } from "./sanitizeHeader.ts"

/**
 * The name of a person as mails show it: on one line, and without links.
 *
 * @category converting
 */
export const nameInMail = (name: string): string => withoutLinks(toSingleLine(name))
