/**
 * Parses automatic reports about a sent email. The report's recipient address identifies the email, because servers can
 * omit the envelope ID and quote only parts of the email.
 */
import { toSingleLine } from "@trailbook/core/mail"
import type { Attachment, Email } from "postal-mime"
import type { ParseResult } from "./ParsedMail.ts"

type Report = Extract<ParseResult, { _tag: "Report" }>

/**
 * Parses a delivery report (RFC 3464) or a complaint (RFC 5965). Returns `undefined` for reports that require no
 * action, such as a delay, and for other email to the report address, such as auto-replies.
 */
export const parseDeliveryReport = ({ attachments }: Pick<Email, "attachments">): Report | undefined => {
  const complaint = attachments.find(({ mimeType }) => mimeType === "message/feedback-report")
  if (complaint !== undefined) return complaintOf(complaint)
  const status = attachments.find(({ mimeType }) =>
    mimeType === "message/delivery-status" || mimeType === "message/global-delivery-status"
  )
  return status === undefined ? undefined : deliveryOf(status)
}

const complaintOf = (attachment: Attachment): Report | undefined => {
  const kind = blocksOf(attachment)[0]?.get("feedback-type")?.toLowerCase()
  // The other feedback types report that an email is not spam or that its signature is invalid.
  return kind !== undefined && /^(?:abuse|fraud|virus|other|opt-out)$/.test(kind)
    ? { _tag: "Report", outcome: "complained", failure: null }
    : undefined
}

const deliveryOf = (attachment: Attachment): Report | undefined => {
  for (const block of blocksOf(attachment)) {
    const action = /^[a-z]+/i.exec(block.get("action") ?? "")?.[0].toLowerCase()
    if (action === "delivered" || action === "relayed" || action === "expanded") {
      return { _tag: "Report", outcome: "delivered", failure: null }
    }
    if (action === "failed") return { _tag: "Report", outcome: "failed", failure: failureOf(block) }
  }
  return undefined
}

const failureOf = (block: ReadonlyMap<string, string>): string | null => {
  // Remove the prefix in "smtp; 550 5.1.1 …", which means nothing to most readers.
  const diagnostic = toSingleLine((block.get("diagnostic-code") ?? "").replace(/^\s*[\w-]+\s*;/, ""))
  const failure = diagnostic === "" ? toSingleLine(block.get("status") ?? "") : diagnostic
  return failure === "" ? null : Array.from(failure).slice(0, 200).join("")
}

/**
 * Returns the fields of each block. Blocks are separated by blank lines. The first one describes the email, and each of
 * the others describes one address.
 */
const blocksOf = ({ content }: Attachment): ReadonlyArray<ReadonlyMap<string, string>> =>
  textOf(content).slice(0, mostCharacters).split(/\r?\n[ \t]*\r?\n/).map((block) => {
    const fields = new Map<string, string>()
    for (const line of block.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
      const colon = line.indexOf(":")
      if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
    }
    return fields
  })

const textOf = (content: Attachment["content"]): string =>
  typeof content === "string" ? content : new TextDecoder().decode(content)

const mostCharacters = 64 * 1024
