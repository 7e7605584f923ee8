/** The steps after version 23. */
export const steps = [
  "message_notices",
  "unproven",
  "refusals",
  "audit_actors",
  "units",
  "session_index",
  "booking_times",
  "attendance",
  "schedule",
  "ledger",
  "prices",
  "oldest_server",
  "photos",
  "policies",
  "changes",
  "reports",
  "discounts",
  "refunds",
  "assistant_calls",
  "staff_refunds",
  "task_queues"
]

/** The steps for a new schema, which is created at version 28. */
export const stepsOfNewSchema = ["create", ...steps.slice(steps.indexOf("session_index"))]
