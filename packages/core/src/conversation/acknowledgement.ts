import { ended } from "../org/ended.ts"
import type { Org } from "../org/Org.ts"

/**
 * What a guest is told when their message has arrived: when they can expect a reply,
 * and what the outfitter says while they are away.
 *
 * @category converting
 */
export const acknowledgement = ({ awayNotice, name, replyWindow }: Pick<Org, "name" | "replyWindow" | "awayNotice">) =>
  [
    `Thank you for your message. It has reached ${ended(name)}`,
    ...(replyWindow === null ? [] : [`When you can expect a reply: ${replyWindow}`]),
    ...(awayNotice === null ? [] : [awayNotice])
  ].join("\n\n")
