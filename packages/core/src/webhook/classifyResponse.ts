import type { DeliveryFault } from "./Webhook.ts"
import type { Answer } from "./WebhookSender.ts"

/**
 * A delivery's outcome: the event is delivered, or the endpoint stops at the event. The org sees `status`, where 0
 * means no response.
 */
export type Outcome =
  | { readonly _tag: "Taken"; readonly status: number }
  | { readonly _tag: "Refused"; readonly status: number; readonly fault: DeliveryFault }

/** Treats any 2xx status as a success. Errors, redirects, other statuses, and missing responses are failures. */
export const classifyResponse = (answer: Answer): Outcome => {
  if (answer._tag === "Unreachable") return { _tag: "Refused", status: 0, fault: answer.fault }
  const { status } = answer
  return status >= 200 && status < 300
    ? { _tag: "Taken", status }
    : { _tag: "Refused", status, fault: "status" }
}
