/** The Message-ID of an email. It stays the same when the email is sent again. `domain` is the reply domain. */
export const makeMessageId = (mailId: string, domain: string): string => `<${mailId}@${domain}>`
