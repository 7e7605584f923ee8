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

/** Many a name ends with the full stop of `Co.` or `Inc.`, which is that of the sentence, too. */
const ended = (name: string): string => name.endsWith(".") ? name : `${name}.`
