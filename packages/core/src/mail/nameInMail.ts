import { withoutLinks } from "../wire/webAddress.ts"
import { toSingleLine } from "./sanitizeHeader.ts"

/** A person's name for emails: on one line, and without links. */
export const nameInMail = (name: string): string => withoutLinks(toSingleLine(name))
