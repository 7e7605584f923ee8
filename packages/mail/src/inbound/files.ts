import type { MailedFile } from "@trailbook/core/conversation"
import { toSingleLine } from "@trailbook/core/mail"
import type { Attachment, Email } from "postal-mime"
import { windows1252 } from "./parse/windows1252.ts"

/**
 * Returns an email's attachments, up to 20. Small inline images are dropped, because most of them are signature logos.
 * Large inline images are usually the author's photos.
 */
export const mailedFiles = ({ attachments }: Pick<Email, "attachments">): ReadonlyArray<MailedFile> =>
  attachments.filter((each) => !isDecoration(each)).slice(0, mostFiles).map(({ content, filename, mimeType }) => ({
    name: Array.from(toSingleLine(windows1252(filename ?? ""))).slice(0, 200).join(""),
    type: mimeType,
    bytes: bytesOf(content)
  }))

const isDecoration = ({ content, related }: Attachment): boolean =>
  related === true && bytesOf(content).length < leastPhotoBytes

const bytesOf = (content: Attachment["content"]): Uint8Array =>
  typeof content === "string"
    ? new TextEncoder().encode(content)
    : content instanceof Uint8Array
    ? content
    : new Uint8Array(content)

const mostFiles = 20
const leastPhotoBytes = 24 * 1024
