/** The secret parts of inbound email addresses. They are lowercase, because mail servers do not preserve case. */
import type { Ids } from "../../port/Ids.ts"

/** Creates the token for a conversation's address: 26 letters and digits, which encode 130 bits. */
export const makeReplyToken = ({ digest, handle }: Pick<Ids["Type"], "digest" | "handle">): string =>
  encode(digest(handle()))

/**
 * Creates the token for a staff member's reply address, `team+<token>`. It consists of the conversation's token and 26
 * letters and digits derived from that token and the staff member's ID. It is not stored. The address stops working
 * when the guest is erased or the staff member is removed.
 */
export const makeStaffReplyToken = (
  { digest }: Pick<Ids["Type"], "digest">,
  conversationToken: string,
  staffId: string
): string => conversationToken + encode(digest(`${conversationToken} ${staffId}`))

/** Returns the conversation's part of a staff reply token. */
export const parseStaffReplyToken = (token: string): string => token.slice(0, -length)

const encode = (digest: string): string => BigInt.asUintN(130, BigInt(`0x${digest}`)).toString(32).padStart(length, "0")

const length = 26
