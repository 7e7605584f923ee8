/**
 * Returns a conversation's reply address, which contains a secret token. Returns undefined if inbound email is not set
 * up.
 */
export const makeReplyAddress = (token: string, replyDomain: string | undefined): string | undefined =>
  replyDomain === undefined ? undefined : `reply+${token}@${replyDomain}`

/**
 * Returns the address for a staff member's email replies to a guest. Returns undefined if inbound email is not set up.
 */
export const makeStaffReplyAddress = (token: string, replyDomain: string | undefined): string | undefined =>
  replyDomain === undefined ? undefined : `team+${token}@${replyDomain}`

/** Returns an email's Message-ID. It stays the same when the email is sent again. `domain` is the reply domain. */
export const makeMessageId = (mailId: string, domain: string): string => `<${mailId}@${domain}>`
