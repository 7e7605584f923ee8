import type { Org } from "../org/Org.ts"
import { withFullStop } from "../org/withFullStop.ts"

/**
 * What a guest is told when their message has arrived: when they can expect a reply,
 * and what the outfitter says while they are away.
 *
 * @category converting
 */
export const autoReplyText = ({ awayNotice, name, replyWindow }: Pick<Org, "name" | "replyWindow" | "awayNotice">) =>
  [
    `Thank you for your message. It has reached ${withFullStop(name)}`,
    ...(replyWindow === null ? [] : [`When you can expect a reply: ${replyWindow}`]),
    ...(awayNotice === null ? [] : [awayNotice])
  ].join("\n\n")
