/**
 * Declares each error code once. HTTP statuses, OpenAPI, tool results, client types, and the error reference are
 * derived from this table.
 *
 * Codes are part of the public API. New codes may be added, but existing codes keep their meaning.
 */

/** The kinds of refusal. Each kind has an HTTP status and advice for clients that do not know a code. */
export const refusalKinds = {
  invalid: {
    status: 400,
    when: "The request is invalid.",
    next: "Correct the request as described in the message."
  },
  unauthorized: { status: 401, when: "The API key is missing or invalid.", next: "Send a valid API key." },
  forbidden: {
    status: 403,
    when: "The API key lacks a required scope.",
    next: "Use a key with the required scope."
  },
  not_found: {
    status: 404,
    when: "The resource does not exist, or it belongs to another outfitter.",
    next: "Check the ID."
  },
  not_allowed: { status: 405, when: "The URL does not support this method.", next: "Use a supported method." },
  late: { status: 408, when: "The complete request did not arrive in time.", next: "Retry the request." },
  conflict: {
    status: 409,
    when: "The request conflicts with the current state.",
    next: "Choose another option. The same request would fail again."
  },
  too_large: { status: 413, when: "The request is too large.", next: "Reduce the size of the request." },
  unsupported: {
    status: 415,
    when: "The content type is not supported.",
    next: "Use a supported content type."
  },
  exhausted: {
    status: 429,
    when: "A limit was exceeded.",
    next: "Wait for the number of seconds in `Retry-After`, then retry."
  },
  broken: {
    status: 500,
    when: "An unexpected error occurred.",
    next: "Retry with the same `idempotency_key`."
  },
  upstream: { status: 502, when: "An external service failed.", next: "Retry later, or continue without the service." },
  unavailable: {
    status: 503,
    when: "The service is temporarily unavailable.",
    next: "Retry with the same `idempotency_key`."
  }
} as const

/** A kind of refusal. Each transport maps the kind to its own status. */
export type RefusalKind = keyof typeof refusalKinds

/** An error code's declaration. */
export interface RefusalDeclaration {
  readonly kind: RefusalKind
  /** The condition that causes the refusal. */
  readonly when: string
  /** What the caller should do next. Operation names are in backticks. */
  readonly next: string
}

interface WithMessage<Facts extends ReadonlyArray<unknown>> extends RefusalDeclaration {
  /** Returns the human-readable text. Clients must not parse it, because the wording may change. */
  readonly message: (...facts: Facts) => string
  /** The arguments for the example in the reference. */
  readonly example: Facts
}

const declare = <Facts extends ReadonlyArray<unknown>>(
  kind: RefusalKind,
  declaration: Omit<WithMessage<Facts>, "kind">
): WithMessage<Facts> => ({ kind, ...declaration })

/** Creates a message that callers can replace with a more specific one. */
const makeMessage = (fallback: string) => ({
  message: (specific: string = fallback): string => specific,
  example: [] as [specific?: string]
})

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`

export const refusals = {
  invalid_request: declare("invalid", {
    when: "A field is missing, unknown, of the wrong type, or out of range, or the body is not valid JSON. The " +
      "message starts with the field name.",
    next: "Correct the field named in the message, then retry.",
    ...makeMessage("quantity: must be a whole number from 1 to 10000")
  }),
  unauthorized: declare("unauthorized", {
    when: "The API key is missing, unknown, expired, or revoked.",
    next: "Get a valid API key from the outfitter. Do not retry with the same key.",
    ...makeMessage("Missing or invalid API key. Send a valid key as Authorization: Bearer <key>.")
  }),
  forbidden: declare("forbidden", {
    when: "The API key lacks the scope that the operation requires.",
    next: "Ask the outfitter for a key with the required scope. Do not retry with the same key.",
    message: (name: string, scope: string) => `${name} requires an API key with the scope "${scope}".`,
    example: ["bookings.create", "write"]
  }),
  not_found: declare("not_found", {
    when: "The URL or the resource does not exist, or the resource belongs to another outfitter. All cases return " +
      "the same error.",
    next: "Use this resource's list operation to find the ID.",
    message: (resource: string, id: string) => `The ${resource} ${id} does not exist.`,
    example: ["booking", "0197c0de-0000-7000-8000-000000000000"]
  }),
  method_not_allowed: declare("not_allowed", {
    when: "The URL exists but does not support this method. The `Allow` header lists the supported methods.",
    next: "Use a supported method.",
    message: (allow: string) => `Method not allowed. Supported methods: ${allow}.`,
    example: ["GET, HEAD, OPTIONS"]
  }),
  request_timeout: declare("late", {
    when: "The server did not receive the complete request in time.",
    next: "Retry the request.",
    ...makeMessage("The complete request did not arrive in time. Retry the request.")
  }),
  too_large: declare("too_large", {
    when: "The body exceeds the limit (64 KiB, or 128 KiB for operations with metadata or many settings), or a " +
      "file exceeds 10 MiB. Status 431 means that the headers are too large.",
    next: "Reduce the size of the request.",
    ...makeMessage("The body must be at most 65536 bytes.")
  }),
  unsupported_media_type: declare("unsupported", {
    when: "The body is compressed or is not UTF-8 JSON.",
    next: "Send uncompressed JSON with `Content-Type: application/json`.",
    ...makeMessage("Unsupported body. Send uncompressed UTF-8 JSON with Content-Type: application/json.")
  }),
  unsupported_type: declare("unsupported", {
    when: "The file is not a JPEG, PNG, WebP, HEIC, or PDF. The type is detected from the content, not the file name.",
    next: "Convert the file to a supported format.",
    ...makeMessage("Unsupported file type. Upload a JPEG, PNG, WebP, HEIC, or PDF.")
  }),
  rate_limited: declare("exhausted", {
    when: "The API key exceeded its rate limit. Each full 32 KiB of a response and each full 4 KiB of a request body " +
      "counts as an additional request. The `RateLimit` and `RateLimit-Policy` headers contain the limits.",
    next: "Wait, then retry the same request.",
    message: (seconds: number) => `Too many requests. Retry in ${count(seconds, "second")}.`,
    example: [1]
  }),
  email_unproven: declare("exhausted", {
    when: "A visitor to the booking page requested more seats than are allowed without a confirmed email address.",
    next: "Confirm the email address with the emailed link, then submit the booking again.",
    ...makeMessage("Too many seats for an unconfirmed email address. Confirm your email, then try again.")
  }),
  internal: declare("broken", {
    when: "The server failed unexpectedly. To find the cause, search the log for the `X-Request-Id`.",
    next: "The request may have taken effect. Read the resource first, then retry with the same `idempotency_key`.",
    ...makeMessage("Internal error. The server log has the details under this request's ID.")
  }),
  unavailable: declare("unavailable", {
    when: "The database or another required service is temporarily unavailable.",
    next: "Retry the identical request with the same `idempotency_key`.",
    ...makeMessage("The service is temporarily unavailable. Retry the request.")
  }),

  slot_unavailable: declare("conflict", {
    when: "The start time is in the past, outside the booking window, or not on the schedule. The message gives the " +
      "reason.",
    next: "Use a start time returned by `availability.get`.",
    ...makeMessage("This start time is not available for this offering. Choose another start time.")
  }),
  slot_full: declare("conflict", {
    when:
      "The start time has less capacity left than requested. If any capacity is left, the message gives both numbers.",
    next: "Check `remaining` in `availability.get`, then choose another start time or a smaller quantity.",
    message: (requestedCount: number, remainingCount: number) =>
      remainingCount === 0
        ? "This start time is fully booked."
        : `Not enough capacity at this start time: ${requestedCount} requested, ${remainingCount} remaining.`,
    example: [12, 8]
  }),
  party_invalid: declare("invalid", {
    when: "The party, the extras, or the adjustments do not match the offering's pricing. The message starts with " +
      "the field name.",
    next: "Correct the field named in the message to match the offering's `pricing`.",
    ...makeMessage("party: must take at least 2 spots")
  }),
  discount_invalid: declare("conflict", {
    when:
      "The discount code does not exist, is inactive, is used up, or does not apply to the offering or the dates. " +
      "The message does not give the reason.",
    next: "Ask the guest to check the code, or book without it.",
    ...makeMessage("This discount code is not valid for this booking.")
  }),
  price_changed: declare("conflict", {
    when: "The total differs from `expected_total_cents` because the outfitter changed the prices.",
    next: "Show the guest the new price from `bookings.quote`, then book with it.",
    message: (total: string) => `The price has changed to ${total}. Check the new price, then book again.`,
    example: ["$184.68"]
  }),
  offering_paused: declare("conflict", {
    when: "The outfitter paused the offering.",
    next: "Choose another offering. The outfitter can resume this offering with `offerings.update` and `active: true`.",
    ...makeMessage("This offering is paused and cannot be booked.")
  }),
  session_cancelled: declare("conflict", {
    when: "The session is canceled.",
    next: "Choose another session from `availability.get`.",
    ...makeMessage("This session was canceled.")
  }),
  idempotency_conflict: declare("conflict", {
    when: "The `idempotency_key` was already used with different parameters.",
    next: "Use a new `idempotency_key` for a new request. Reuse a key only to retry the same request.",
    ...makeMessage("This idempotency_key was already used with different parameters. Use a new key for a new request.")
  }),
  customer_erased: declare("conflict", {
    when: "The customer's personal data was erased on request, including the email address.",
    next: "Create the customer again only if the guest books again.",
    ...makeMessage("This customer's data was erased. A new booking with the same email address creates a new customer.")
  }),
  has_customer: declare("conflict", {
    when: "The conversation belongs to a customer and can only be erased together with that customer.",
    next: "If the guest requested erasure, use `customers.delete`.",
    message: (customer: string) => `This conversation belongs to customer ${customer}. Erase the customer instead.`,
    example: ["0197c0de-0000-7000-8000-000000000000"]
  }),
  booking_cancelled: declare("conflict", {
    when: "The booking is canceled. Only `bookings.restore` can undo a cancellation, and only within 24 hours.",
    next: "Within 24 hours of the cancellation, use `bookings.restore`. After that, use `bookings.create`.",
    ...makeMessage("This booking was canceled. Create a new booking instead.")
  }),
  amount_too_large: declare("conflict", {
    when:
      "The payment exceeds the amount due, or the refund exceeds the amount that can be refunded. The message gives " +
      "the limit.",
    next: "Read the booking again. To record more than `due_cents`, set `allow_overpayment`.",
    ...makeMessage("The amount exceeds the limit for this booking.")
  }),
  entry_final: declare("conflict", {
    when: "The entry is an online payment or was recorded on an earlier day, so it cannot be voided.",
    next: "Record a refund with `payments.refund`, or a payment with `payments.record`.",
    ...makeMessage("Only a payment or refund recorded at the desk today can be voided.")
  }),
  changes_closed: declare("conflict", {
    when: "A guest cannot change this booking online, because the outfitter does not allow changes, the deadline has " +
      "passed, or the guests are checked in.",
    next: "Contact the outfitter.",
    ...makeMessage("This booking can no longer be changed online.")
  }),
  booking_held: declare("conflict", {
    when: "The booking is an unconfirmed hold. A hold has no confirmation to resend and no cancellation to undo. It " +
      "cannot be checked in, and messages cannot refer to it.",
    next: "Confirm the booking with `bookings.confirm`, or address the message to the customer instead of the booking.",
    ...makeMessage("This booking is a hold and has not been confirmed.")
  }),
  too_early: declare("conflict", {
    when:
      "Check-in is not open yet, or the booking has not started and cannot be marked as a no-show. The message gives " +
      "the time.",
    next: "Retry after the time in the message.",
    ...makeMessage("Check-in opens at 2027-05-01T06:00:00.000Z.")
  }),
  checkout_open: declare("conflict", {
    when: "The booking is a hold that must be paid online, so its price cannot change.",
    next: "Confirm the booking with `bookings.confirm`, then change it.",
    ...makeMessage("The guest is paying for this booking online. Confirm the booking before you change it.")
  }),
  hold_expired: declare("conflict", {
    when:
      "The hold expired. An expired hold cannot be moved or changed, and can be confirmed only if its spots are free.",
    next: "Create a new booking with `bookings.create` and a start time from `availability.get`.",
    ...makeMessage("The hold has expired and its spots are no longer available.")
  }),
  no_address: declare("conflict", {
    when: "The guest is a walk-in without an email address.",
    next: "Add the address with `customers.update`, or call the guest.",
    ...makeMessage("This guest has no email address.")
  }),
  nothing_due: declare("conflict", {
    when: "The guest owes nothing for this booking, or the booking is canceled.",
    next: "No payment is needed. The booking's `due_cents` is 0.",
    ...makeMessage("Nothing is due for this booking.")
  }),
  email_taken: declare("conflict", {
    when: "Another guest has this email address.",
    next: "Use the customer who has this address, or correct the address.",
    ...makeMessage("Another guest already has this email address.")
  }),
  code_taken: declare("conflict", {
    when: "The outfitter already uses this code for another discount.",
    next: "Choose another code, or change the existing one with `discounts.update`.",
    message: (code: string) => `The code ${code} already exists.`,
    example: ["SPRING"]
  }),
  resend_limited: declare("exhausted", {
    when: "The confirmation was already resent in the last 24 hours, or the guest received 3 payment requests today.",
    next: "Do not retry now. Tell the user when a retry is possible.",
    ...makeMessage("The confirmation was already resent in the last 24 hours.")
  }),
  export_limited: declare("exhausted", {
    when: "An export for this outfitter is already running, or the server has reached its limit of concurrent exports.",
    next: "Wait, then retry.",
    ...makeMessage("An export for this outfitter is already running. Retry after it finishes.")
  }),
  has_bookings: declare("conflict", {
    when: "The offering to delete has upcoming bookings or active holds, or the session to reschedule has booked " +
      "seats. The message gives the numbers.",
    next: "Ask the outfitter whether to cancel the bookings. Retry with `cancel_bookings=true` only if " +
      "the outfitter agrees. To change a session's start, first move or cancel its bookings.",
    message: (upcoming: number, holds: number, bookedSeats = 0) =>
      bookedSeats > 0 ?
        `This session has ${
          count(bookedSeats, "booked seat")
        }. Move or cancel its bookings before you change its start.` :
        `Deleting this offering would cancel ${count(upcoming, "upcoming booking")} and ${count(holds, "hold")}. ` +
        "To cancel them and delete the offering, retry with cancel_bookings=true.",
    example: [3, 1]
  }),
  wrong_kind: declare("conflict", {
    when: "The operation does not apply to this kind of offering. A class has sessions, and other kinds have weekly " +
      "hours.",
    next: "Check the offering's `kind` with `offerings.get`.",
    ...makeMessage("A class has no weekly hours. Create sessions instead.")
  }),
  attachment_used: declare("conflict", {
    when: "The file is already attached to another message, or it is listed twice. A file can be sent only once.",
    next: "Upload the file again and use the new ID.",
    message: (id: string) => `Attachment ${id} is already used. To send the file again, upload it again.`,
    example: ["0197c0de-0000-7000-8000-000000000000"]
  }),
  drafts_unavailable: declare("conflict", {
    when: "No language model is configured for drafts.",
    next: "Write the reply manually. The operator configures a model with `--drafts-url` and `--drafts-model`.",
    ...makeMessage("Drafts are disabled because no language model is configured.")
  }),
  draft_limited: declare("exhausted", {
    when: "The outfitter has reached the limit of 60 drafts in 24 hours.",
    next: "Write the reply manually, or retry later.",
    message: (limit: number) => `Draft limit reached: ${limit} in the last 24 hours.`,
    example: [60]
  }),
  draft_failed: declare("upstream", {
    when: "The language model timed out or did not return text. The attempt does not count toward the daily limit.",
    next: "Retry once, or write the reply manually.",
    ...makeMessage("The language model did not return a draft. Retry, or write the reply manually.")
  }),
  proposal_decided: declare("conflict", {
    when: "The proposal was already approved, dismissed, or executed. The message gives its status.",
    next: "Do not retry. Read the proposal with `proposals.list`.",
    message: (status: string) =>
      status === "pending"
        ? "This proposal was already approved and is being executed."
        : `This proposal was already decided. Its status is ${status}.`,
    example: ["dismissed"]
  }),
  proposal_expired: declare("conflict", {
    when: "The deadline for a decision has passed, or the reason for the proposal no longer applies.",
    next: "If the change is still needed, make it manually. The agent creates a new proposal if its rules " +
      "apply again.",
    ...makeMessage("This proposal has expired.")
  }),
  not_reversible: declare("conflict", {
    when:
      "The proposal is not done, one of its actions cannot be undone, or a session that it created is canceled or " +
      "has bookings.",
    next: "Make the necessary changes manually.",
    ...makeMessage("This proposal cannot be undone.")
  }),
  webhook_limit: declare("conflict", {
    when: "The outfitter has reached the maximum number of webhooks.",
    next: "Delete a webhook with `webhooks.delete`, then retry.",
    message: (limit: number) => `Webhook limit reached: ${limit}. Delete a webhook first.`,
    example: [20]
  })
}

export type RefusalCode = keyof typeof refusals

/** All codes, in declaration order. */
export const refusalCodes = Object.keys(refusals) as ReadonlyArray<RefusalCode>

/** Finds a code's declaration. Returns `undefined` for a code that a host application defines. */
export const findRefusalDeclaration = (code: string): RefusalDeclaration | undefined =>
  Object.hasOwn(refusals, code) ? refusals[code as RefusalCode] : undefined

/** Returns the kind of a code. A host application's codes count as conflicts with the host's rules. */
export const getRefusalKind = (code: string): RefusalKind => findRefusalDeclaration(code)?.kind ?? "conflict"

export const getHttpStatus = (code: string): number => refusalKinds[getRefusalKind(code)].status

export const formatExampleMessage = (code: RefusalCode): string => formatRefusalMessage(code, refusals[code].example)

export const formatRefusalMessage = <Code extends RefusalCode>(code: Code, facts: RefusalFacts<Code>): string =>
  // The cast is needed because TypeScript widens the lookup to a union, even though `Code` ties the facts to the
  // message.
  (refusals[code].message as (...facts: ReadonlyArray<unknown>) => string)(...facts)

/** The arguments to a code's message. */
export type RefusalFacts<Code extends RefusalCode> = Parameters<(typeof refusals)[Code]["message"]>
