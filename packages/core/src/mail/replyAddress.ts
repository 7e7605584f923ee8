/**
 * Where answers in a conversation go: to its own address, which nobody guesses.
 * `undefined` where mail does not come in.
 *
 * @category converting
 */
export const replyAddress = (token: string, replyDomain: string | undefined): string | undefined =>
  replyDomain === undefined ? undefined : `reply+${token}@${replyDomain}`

/**
 * Where one of the staff answers a guest, so that the guest gets it. `undefined` where
 * mail does not come in.
 *
 * @category converting
 */
export const teamAddress = (token: string, replyDomain: string | undefined): string | undefined =>
  replyDomain === undefined ? undefined : `team+${token}@${replyDomain}`
