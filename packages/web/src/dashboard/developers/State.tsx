import type { WebhookView } from "@trailbook/core/webhook/WebhookView"
import type { DeskShown } from "../View.ts"
import { faultWords } from "./faultWords.ts"

/**
 * What came of the last delivery, and when.
 *
 * @category views
 */
export const State = (
  { shown: { format }, webhook: { last_attempt_at: at, last_error: fault, last_status: status } }: {
    readonly webhook: WebhookView
    readonly shown: DeskShown
  }
) => {
  if (at === null || status === null) return <span class="soft">nothing sent yet</span>
  const when = `${format.day(at)}, ${format.time(at)}`
  return fault === null
    ? <span class="tag ok">{`${status} · ${when}`}</span>
    : <span class="tag bad">{`${faultWords(fault, status).short} · ${when}`}</span>
}
