import type { Ids } from "../port/Ids.ts"

/**
 * Creates the secret part of a staff member's reply address, `team+<token>`: the token of the conversation, and 26
 * letters and digits that require the ID of the staff member. Nothing is stored for it. The address stops working when
 * the guest is erased or the staff member is removed.
 */
export const makeStaffReplyToken = (
  { digest }: Pick<Ids["Type"], "digest">,
  conversationToken: string,
  staffId: string
): string =>
  conversationToken +
  BigInt.asUintN(130, BigInt(`0x${digest(`${conversationToken} ${staffId}`)}`)).toString(32).padStart(length, "0")

/** Returns the conversation's part of a staff reply token. */
export const parseStaffReplyToken = (token: string): string => token.slice(0, -length)

const length = 26
