/**
 * Where answers in a conversation go: to its own address, which nobody guesses.
 * `undefined` where mail does not come in.
 *
 * @category converting
 */
export const replyAddress = (token: string, replyDomain: string | undefined): string | undefined =>
  replyDomain === undefined ? undefined : `reply+${token}@${replyDomain}`
