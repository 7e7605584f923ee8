/**
 * What an address of ours is for: mail of a guest to a conversation, answers of the
 * staff to a guest, or reports about one mail of ours. The part after the `+` is a secret.
 */
export interface OwnAddress {
  readonly purpose: "reply" | "team" | "bounce"
  readonly token: string
}

/**
 * `undefined` for an address that is none of ours. Mail servers may change the case of
 * letters, so tokens have one.
 */
export const ownAddress = (address: string, replyDomain: string): OwnAddress | undefined => {
  const [, purpose, token, domain] = /^\s*<?(reply|team|bounce)\+([\w-]{16,64})@([^\s<>@]+?)\.?>?\s*$/i.exec(address) ??
    []
  if (purpose === undefined || token === undefined || domain?.toLowerCase() !== replyDomain.toLowerCase()) {
    return undefined
  }
  return { purpose: purpose.toLowerCase() as OwnAddress["purpose"], token: token.toLowerCase() }
}
