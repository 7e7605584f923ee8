import type { DeliveryFault } from "./Webhook.ts"
import type { Answer } from "./WebhookSender.ts"

/**
 * What an answer means for the event that was sent: it is through, or delivery
 * stops at it. `status` is what the org is shown; 0 is no answer.
 *
 * @category models
 */
export type Outcome =
  | { readonly _tag: "Taken"; readonly status: number }
  | { readonly _tag: "Refused"; readonly status: number; readonly fault: DeliveryFault }

/**
 * Any 2xx takes an event. An error, a redirect, any other status and no answer
 * at all refuse it.
 *
 * @category deciding
 */
export const classifyResponse = (answer: Answer): Outcome => {
  if (answer._tag === "Unreachable") return { _tag: "Refused", status: 0, fault: answer.fault }
  const { status } = answer
  return status >= 200 && status < 300
    ? { _tag: "Taken", status }
    : { _tag: "Refused", status, fault: "status" }
}
