/**
 * The purpose and token encoded in one of Trailbook's own addresses:
 * - `reply`: guests write to a conversation.
 * - `team`: staff members reply to a guest.
 * - `bounce`: mail servers report on a sent email.
 *
 * The token follows the `+` and is secret.
 */
export interface OwnAddress {
  readonly purpose: "reply" | "team" | "bounce"
  readonly token: string
}

/**
 * Parses one of Trailbook's own addresses, or returns `undefined` for any other address. Mail servers may change the
 * case of letters, so tokens are lowercase.
 */
export const parseOwnAddress = (address: string, replyDomain: string): OwnAddress | undefined => {
  const [, purpose, token, domain] = /^\s*<?(reply|team|bounce)\+([\w-]{16,64})@([^\s<>@]+?)\.?>?\s*$/i.exec(address) ??
    []
  if (purpose === undefined || token === undefined || domain?.toLowerCase() !== replyDomain.toLowerCase()) {
    return undefined
  }
  return { purpose: purpose.toLowerCase() as OwnAddress["purpose"], token: token.toLowerCase() }
}
