/**
 * What a thread says when it can read mails.
 *
 * @category constants
 */
export const ready = "ready"
