import type { Ids } from "../port/Ids.ts"

/**
 * The secret part of an address where one of the staff answers a guest, `team+<token>`:
 * that of the conversation, and 26 letters and digits that nobody makes who does not
 * know the person's id. So nothing is stored for it, and the address ends with the
 * conversation's own, when its guest is erased, and with the person.
 *
 * @category constructors
 */
export const makeStaffReplyToken = (
  { digest }: Pick<Ids["Type"], "digest">,
  conversationToken: string,
  staffId: string
): string =>
  conversationToken +
  BigInt.asUintN(130, BigInt(`0x${digest(`${conversationToken} ${staffId}`)}`)).toString(32).padStart(length, "0")

/**
 * The conversation's part of such a token.
 *
 * @category getters
 */
export const parseStaffReplyToken = (token: string): string => token.slice(0, -length)

const length = 26
