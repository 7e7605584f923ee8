import type { Org } from "../org/Org.ts"
import { withFullStop } from "../org/withFullStop.ts"

/** The acknowledgment of a guest's message: when they can expect a reply, and the away notice of the outfitter. */
export const autoReplyText = ({ awayNotice, name, replyWindow }: Pick<Org, "name" | "replyWindow" | "awayNotice">) =>
  [
    `Thank you for your message to ${withFullStop(name)}`,
    ...(replyWindow === null ? [] : [`Expected reply time: ${replyWindow}`]),
    ...(awayNotice === null ? [] : [awayNotice])
  ].join("\n\n")
