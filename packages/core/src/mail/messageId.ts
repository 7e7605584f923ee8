/**
 * The Message-ID of a mail of ours, the same when it is sent again. `domain` is the
 * one that replies go to.
 *
 * @category converting
 */
export const makeMessageId = (mailId: string, domain: string): string => `<${mailId}@${domain}>`
