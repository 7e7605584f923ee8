/**
 * Error codes. Each code is declared once, here. HTTP status, OpenAPI, tool results, client types, and the error
 * reference derive from this table.
 *
 * Codes are part of the public API: new ones can be added, existing ones keep their meaning.
 */

/** Kinds of refusal, with the HTTP status and the fallback advice for codes that a client does not know. */
export const kinds = {
  invalid: { status: 400, when: "The request is wrong.", next: "Correct it; the message says what." },
  unauthorized: { status: 401, when: "The key is missing or not valid.", next: "Send a valid key." },
  forbidden: { status: 403, when: "The key may not do this.", next: "Use a key with the scope that it needs." },
  not_found: { status: 404, when: "There is nothing by this id, or it is another outfitter's.", next: "Look it up." },
  not_allowed: { status: 405, when: "The address does not take this method.", next: "Use another." },
  late: { status: 408, when: "The request took too long to arrive.", next: "Send it again." },
  conflict: {
    status: 409,
    when: "It cannot be done as things are.",
    next: "Choose something else; the same is refused again."
  },
  too_large: { status: 413, when: "The body is too long.", next: "Send less." },
  unsupported: { status: 415, when: "The body is of a type that is not taken here.", next: "Send another type." },
  exhausted: { status: 429, when: "Too often.", next: "Wait as long as `Retry-After` says." },
  broken: { status: 500, when: "Something went wrong.", next: "Send the same again, with the same `idempotency_key`." },
  upstream: {
    status: 502,
    when: "Another service that is needed did not do its part.",
    next: "Try again later, or do it another way."
  },
  unavailable: {
    status: 503,
    when: "The service cannot answer now.",
    next: "Send the same again, with the same `idempotency_key`."
  }
} as const

/** Kinds of refusal. Each transport maps a kind to its own status. */
export type RefusalKind = keyof typeof kinds

/** Definition of an error code. */
export interface RefusalDeclaration {
  readonly kind: RefusalKind
  /** The condition that causes the refusal. */
  readonly when: string
  /** Recommended reaction of the caller. Operation names are in backticks. */
  readonly next: string
}

interface WithMessage<Facts extends ReadonlyArray<unknown>> extends RefusalDeclaration {
  /** Text for people. Clients must not parse it: the wording can change. */
  readonly message: (...facts: Facts) => string
  /** Arguments for the example in the reference. */
  readonly example: Facts
}

const declare = <Facts extends ReadonlyArray<unknown>>(
  kind: RefusalKind,
  declared: Omit<WithMessage<Facts>, "kind">
): WithMessage<Facts> => ({ kind, ...declared })

/** A message that callers can replace with a more specific one. */
const text = (usual: string) => ({ message: (said: string = usual): string => said, example: [] as [said?: string] })

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`

export const refusals = {
  invalid_request: declare("invalid", {
    when: "A field is missing, unknown, of the wrong kind or out of its bounds; or the body is not JSON. The message " +
      "begins with the field's name.",
    next: "Correct the field that the message names, and send it again.",
    ...text("quantity: must be a whole number from 1 to 10000")
  }),
  unauthorized: declare("unauthorized", {
    when: "There is no API key, or it is unknown, expired or revoked.",
    next: "Ask the outfitter for a valid API key. Sending the same again does not help.",
    ...text("Send a valid API key as Authorization: Bearer <key>.")
  }),
  forbidden: declare("forbidden", {
    when: "The key lacks the scope that the operation needs.",
    next: "Leave it, or ask the outfitter for a key that may do this. Sending the same again does not help.",
    message: (name: string, scope: string) => `${name} needs a key with the scope ${scope}.`,
    example: ["bookings.create", "write"]
  }),
  not_found: declare("not_found", {
    when:
      "Nothing has this id, or it belongs to another outfitter: the answer is the same. Or there is nothing at this " +
      "address.",
    next: "Look the id up in the list of its kind.",
    message: (what: string, id: string) => `There is no ${what} ${id}.`,
    example: ["booking", "0197c0de-0000-7000-8000-000000000000"]
  }),
  method_not_allowed: declare("not_allowed", {
    when: "The address exists, but not with this method. The header `Allow` has those that it takes.",
    next: "Use one of those methods.",
    message: (allow: string) => `This address takes ${allow}.`,
    example: ["GET, HEAD, OPTIONS"]
  }),
  request_timeout: declare("late", {
    when: "The request took too long to arrive.",
    next: "Send it again.",
    ...text("The request took too long to arrive.")
  }),
  too_large: declare("too_large", {
    when:
      "The body is over the limit of its operation (64 KiB, or 128 KiB if it takes metadata or many settings), or a " +
      "file is over 10 MiB. With status 431, the headers are too large.",
    next: "Send less, or ask for less.",
    ...text("The body must be at most 65536 bytes long.")
  }),
  unsupported_media_type: declare("unsupported", {
    when: "The body is not JSON in UTF-8, or it is compressed.",
    next: "Send `Content-Type: application/json`, and the body as it is.",
    ...text("Send the body as JSON in UTF-8, with Content-Type: application/json.")
  }),
  unsupported_type: declare("unsupported", {
    when: "The file is no JPEG, PNG, WebP, HEIC or PDF, whatever it is called: its bytes are looked at.",
    next: "Send the picture or the document in one of these formats.",
    ...text("A file must be a JPEG, PNG, WebP or HEIC picture or a PDF document.")
  }),
  rate_limited: declare("exhausted", {
    when:
      "The key has asked more often than it may, or for more: an answer costs one request more for each whole 32 KiB, " +
      "and a body for each whole 4 KiB. " +
      "The headers `RateLimit` and `RateLimit-Policy` say how often that is.",
    next: "Wait, then send the same again.",
    message: (seconds: number) => `Too many requests. Wait ${seconds} s and send the same request again.`,
    example: [1]
  }),
  internal: declare("broken", {
    when: "A fault of the service. The header `X-Request-Id` leads to it in the log.",
    next: "Do not assume that nothing happened: read how things are. Then send the same again, with the same " +
      "`idempotency_key`.",
    ...text("Something went wrong. The request's id leads to it in the log.")
  }),
  unavailable: declare("unavailable", {
    when: "The database, or another part that is needed, cannot answer now.",
    next: "Send exactly the same again, with the same `idempotency_key`.",
    ...text("The service cannot answer now. Send the same request again.")
  }),

  slot_unavailable: declare("conflict", {
    when:
      "The start is none of those that availability lists: it has passed, is too soon or too far ahead, or is no start " +
      "at all. The message says which.",
    next: "Take one of the starts that `availability.get` lists.",
    ...text("That is no start time of this offering; take one from its availability.")
  }),
  slot_full: declare("conflict", {
    when: "The start is listed, but less is left than was wanted. The message says how much.",
    next: "See in `availability.get` what is left, and take another start or fewer places.",
    message: (wanted: number, left: number) =>
      left === 0 ? "Nothing is left at that time." : `Only ${left} left at that time; you asked for ${wanted}.`,
    example: [12, 8]
  }),
  offering_paused: declare("conflict", {
    when: "The outfitter has paused the offering.",
    next: "Offer something else. Only the outfitter resumes it: `offerings.update` with `active: true`.",
    ...text("This offering is paused and cannot be booked.")
  }),
  session_cancelled: declare("conflict", {
    when: "The session was cancelled.",
    next: "Take another session from `availability.get`.",
    ...text("This session was cancelled.")
  }),
  idempotency_conflict: declare("conflict", {
    when: "The `idempotency_key` was used before, for another request.",
    next:
      "This is another request: make a new `idempotency_key` for it. Use the old one only to send the same request again.",
    ...text("This idempotency_key was used for another request; use a new key for a new request.")
  }),
  customer_erased: declare("conflict", {
    when: "The customer was erased on request and has no address any more.",
    next: "Add them again only if they come back by themselves.",
    ...text("This customer was erased on request; a new booking with their e-mail makes a new one.")
  }),
  has_customer: declare("conflict", {
    when: "The conversation is a customer's, and is erased with them.",
    next: "Erase the customer with `customers.delete`, if that is what they asked for.",
    message: (customer: string) => `This conversation is of the customer ${customer}: erase the customer.`,
    example: ["0197c0de-0000-7000-8000-000000000000"]
  }),
  booking_cancelled: declare("conflict", {
    when: "The booking was cancelled, and stays so.",
    next: "Make a new booking with `bookings.create` if that is wanted.",
    ...text("This booking was cancelled; make a new booking instead.")
  }),
  changes_closed: declare("conflict", {
    when:
      "On a guest's page: the outfitter does not let guests change their booking there, or not so shortly before it.",
    next: "Write to the outfitter.",
    ...text("This booking cannot be changed here any more.")
  }),
  booking_held: declare("conflict", {
    when: "The booking is a hold: there is no confirmation yet that could be sent, and no message is about it.",
    next: "Confirm it first, with `bookings.confirm`, or write to its guest without naming the booking.",
    ...text("This booking is held and not confirmed yet.")
  }),
  hold_expired: declare("conflict", {
    when:
      "The hold has run out. To confirm it, its place would have to be free; to move it, it would have to be confirmed.",
    next: "Take a start from `availability.get` and book again with `bookings.create`.",
    ...text("The hold has expired and its place is no longer free.")
  }),
  resend_limited: declare("exhausted", {
    when: "The confirmation was sent again less than 24 hours ago.",
    next: "Do not repeat it now; say when it may be tried again.",
    ...text("The confirmation was sent again less than 24 hours ago.")
  }),
  export_limited: declare("exhausted", {
    when: "The outfitter is being exported already, or as many others are as may be at once.",
    next: "Wait, then send the same again.",
    ...text("An export of this outfitter is under way. Wait until it has ended.")
  }),
  has_bookings: declare("conflict", {
    when: "The offering has upcoming bookings or live holds. The message counts them.",
    next: "Ask the outfitter whether to cancel them all. Only after a yes send it again with `cancel_bookings=true`.",
    message: (upcoming: number, holds: number) =>
      `This would cancel ${count(upcoming, "upcoming booking")} and ${count(holds, "hold")}. ` +
      "Repeat with cancel_bookings=true to cancel them and delete the offering.",
    example: [3, 1]
  }),
  wrong_kind: declare("conflict", {
    when: "Weekly hours were set on a class, or a session was made for something that is none.",
    next: "Look at the offering's `kind` with `offerings.get`: a class has sessions, the others have weekly hours.",
    ...text("A class has no weekly hours; it is open when it has sessions.")
  }),
  attachment_used: declare("conflict", {
    when: "The file belongs to another message already, or is named twice: each is sent once.",
    next: "Upload it again, and send the new id.",
    message: (id: string) =>
      `The attachment ${id} is used already, by another message or twice in this one. Upload the file again to send it ` +
      "again.",
    example: ["0197c0de-0000-7000-8000-000000000000"]
  }),
  drafts_unavailable: declare("conflict", {
    when: "No language model is set that words drafts.",
    next: "Write the reply yourself. Whoever runs the service sets one with `--drafts-url` and `--drafts-model`.",
    ...text("Drafts are switched off: no language model is set.")
  }),
  draft_limited: declare("exhausted", {
    when: "The outfitter has had 60 drafts in the last 24 hours.",
    next: "Write the reply yourself, or try again tomorrow.",
    message: (most: number) => `There were ${most} drafts in the last 24 hours, which is as many as there may be.`,
    example: [60]
  }),
  draft_failed: declare("upstream", {
    when: "The language model did not answer in time, or not with a text. It does not count among the day's drafts.",
    next: "Try once more, or write the reply yourself.",
    ...text("The language model worded no draft. Try again, or write the reply yourself.")
  }),
  proposal_decided: declare("conflict", {
    when: "Somebody has decided on the proposal, or the agent has. The message says what became of it.",
    next: "Leave it: it is decided once. Look at it with `proposals.list`.",
    message: (status: string) =>
      status === "pending"
        ? "This proposal was decided and is being carried out."
        : `This proposal was decided: it is ${status}.`,
    example: ["dismissed"]
  }),
  proposal_expired: declare("conflict", {
    when: "The time of the proposal is over, or what it was about is not so any more.",
    next: "Do by hand what is still wanted; a new proposal comes where there is a reason.",
    ...text("This proposal has expired.")
  }),
  not_reversible: declare("conflict", {
    when: "What the proposal did cannot be taken back: guests heard of it, or have booked what it opened.",
    next: "Change by hand what is to be different now.",
    ...text("What this proposal did cannot be undone.")
  }),
  webhook_limit: declare("conflict", {
    when: "There are as many webhooks already as there may be.",
    next: "Delete one first, with `webhooks.delete`.",
    message: (most: number) => `There are ${most} webhooks, which is as many as there may be. Delete one first.`,
    example: [20]
  })
}

export type RefusalCode = keyof typeof refusals

/** All codes, in declaration order. */
export const refusalCodes = Object.keys(refusals) as ReadonlyArray<RefusalCode>

/** Returns `undefined` for codes that a host application defines. */
export const findDeclaration = (code: string): RefusalDeclaration | undefined =>
  Object.hasOwn(refusals, code) ? refusals[code as RefusalCode] : undefined

/** Codes of a host application are conflicts with the host's rules. */
export const refusalKind = (code: string): RefusalKind => findDeclaration(code)?.kind ?? "conflict"

export const httpStatus = (code: string): number => kinds[refusalKind(code)].status

export const exampleMessage = (code: RefusalCode): string => formatMessage(code, refusals[code].example)

export const formatMessage = <Code extends RefusalCode>(code: Code, facts: RefusalFacts<Code>): string =>
  // `Code` relates the facts to the message, but TypeScript widens the lookup to a union.
  (refusals[code].message as (...facts: ReadonlyArray<unknown>) => string)(...facts)

/** Arguments of the message of a code. */
export type RefusalFacts<Code extends RefusalCode> = Parameters<(typeof refusals)[Code]["message"]>
