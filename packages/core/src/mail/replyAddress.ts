/** The reply address of a conversation, which contains a secret token. Undefined without inbound email. */
export const replyAddress = (token: string, replyDomain: string | undefined): string | undefined =>
  replyDomain === undefined ? undefined : `reply+${token}@${replyDomain}`

/** The address for email replies of a staff member to a guest. Undefined without inbound email. */
export const teamAddress = (token: string, replyDomain: string | undefined): string | undefined =>
  replyDomain === undefined ? undefined : `team+${token}@${replyDomain}`

/** The Message-ID of an email. It stays the same when the email is sent again. `domain` is the reply domain. */
export const makeMessageId = (mailId: string, domain: string): string => `<${mailId}@${domain}>`
