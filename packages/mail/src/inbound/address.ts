/**
 * The purpose of an own address: mail of a guest to a conversation, replies of staff to a guest, or delivery reports
 * for one mail. The part after the `+` is a secret.
 */
export interface OwnAddress {
  readonly purpose: "reply" | "team" | "bounce"
  readonly token: string
}

/** Returns `undefined` for other addresses. Mail servers can change the case of letters, so tokens are lowercase. */
export const ownAddress = (address: string, replyDomain: string): OwnAddress | undefined => {
  const [, purpose, token, domain] = /^\s*<?(reply|team|bounce)\+([\w-]{16,64})@([^\s<>@]+?)\.?>?\s*$/i.exec(address) ??
    []
  if (purpose === undefined || token === undefined || domain?.toLowerCase() !== replyDomain.toLowerCase()) {
    return undefined
  }
  return { purpose: purpose.toLowerCase() as OwnAddress["purpose"], token: token.toLowerCase() }
}
