/** `docs/reference/errors.md`: every code, when it comes, what to do then, and which operations answer it. */
import { operations } from "@trailbook/core/operation/layer"
import type { CommonCode } from "@trailbook/core/operation/Operation"
import { errorCodes } from "@trailbook/http/openapi/errorCodes"
import { anchor, code, link, page, table, written } from "./markdown.ts"

type OperationCode = (typeof operations)[number]["refusals"][number]

/** Codes of the way to an operation, which no operation declares. */
type DoorCode = "too_large" | "unsupported_media_type" | "method_not_allowed" | "request_timeout" | "internal"

type Code = CommonCode | OperationCode | DoorCode

interface Meaning {
  readonly when: string
  readonly next: string
  /** For codes that are in no operation's description. */
  readonly status?: number
}

/** A code without its words does not compile. */
const meanings: { readonly [C in Code]: Meaning } = {
  invalid_request: {
    when:
      "A field is missing, unknown, of the wrong kind or out of its bounds; or the body is not JSON. The message begins with the field's name.",
    next: "Correct the field and send it again."
  },
  unauthorized: {
    when: "There is no API key, or it is unknown, expired or revoked.",
    next: "Send a valid key. Sending the same again does not help."
  },
  forbidden: {
    when: "The key lacks the scope that the operation needs.",
    next: "Use a key with that scope."
  },
  not_found: {
    when:
      "Nothing has this id, or it belongs to another outfitter: the answer is the same. Or there is nothing at this address.",
    next: "Look the id up in the list of its kind."
  },
  method_not_allowed: {
    when: "The address exists, but not with this method. The header `Allow` has those that it takes.",
    next: "Use one of those methods.",
    status: 405
  },
  request_timeout: {
    when: "The request took too long to arrive.",
    next: "Send it again.",
    status: 408
  },
  too_large: {
    when: "The body is over 1 MiB. With status 431, the headers are too large.",
    next: "Send less."
  },
  unsupported_media_type: {
    when: "The body is not JSON in UTF-8, or it is compressed.",
    next: "Send `Content-Type: application/json`, and the body as it is."
  },
  rate_limited: {
    when:
      "The key has asked more often than it may, or for more: an answer costs one request for each whole 32 KiB more. The headers `RateLimit` and `RateLimit-Policy` say how often that is.",
    next: "Wait as many seconds as `Retry-After` says, then send the same again."
  },
  internal: {
    when: "A fault of the service. The header `X-Request-Id` leads to it in the log.",
    next: "Do not assume that nothing happened. Send the same again, with the same `idempotency_key`."
  },
  unavailable: {
    when: "The database, or another part that is needed, cannot answer now.",
    next: "Wait as many seconds as `Retry-After` says, then send the same again, with the same `idempotency_key`."
  },
  slot_unavailable: {
    when:
      "The start is none of those that availability lists: it has passed, is too soon or too far ahead, or is no start at all. The message says which.",
    next: "Take a start from `availability.get`."
  },
  slot_full: {
    when: "The start is listed, but less is left than was wanted. The message says how much.",
    next: "Take another start, or fewer places."
  },
  offering_paused: {
    when: "The outfitter has paused the offering.",
    next: "Offer something else, or resume it with `offerings.update` and `active: true`."
  },
  session_cancelled: {
    when: "The session was called off.",
    next: "Take another session from `availability.get`."
  },
  idempotency_conflict: {
    when: "The `idempotency_key` was used before, for another request.",
    next: "Make a new key for each new wish. Use the old one only to send the same request again."
  },
  customer_erased: {
    when: "The customer was erased on request and has no address any more.",
    next: "Add them anew when they come back by themselves."
  },
  booking_cancelled: {
    when: "The booking was cancelled, and stays so.",
    next: "Book anew if that is wanted."
  },
  booking_held: {
    when: "The booking is a hold, so there is no confirmation yet that could be sent.",
    next: "Confirm it first."
  },
  hold_expired: {
    when:
      "The hold has run out. To confirm it, its place would have to be free; to move it, it would have to be confirmed.",
    next: "Book anew."
  },
  resend_limited: {
    when: "The confirmation was sent again less than 24 hours ago.",
    next: "Wait as many seconds as `Retry-After` says."
  },
  export_limited: {
    when: "The outfitter is being exported already, or as many others are as may be at once.",
    next: "Wait as many seconds as `Retry-After` says, then send the same again."
  },
  has_bookings: {
    when: "The offering has upcoming bookings or live holds. The message counts them.",
    next: "Ask the outfitter. Send `cancel_bookings=true` to cancel them all."
  },
  wrong_kind: {
    when: "Weekly hours were set on a class, or a session was made for something that is none.",
    next: "Look at the offering's `kind`: a class has sessions, the others have hours."
  },
  webhook_limit: {
    when: "There are 20 webhooks already.",
    next: "Delete one first."
  }
}

/** In the order of their status, and within one in the order above. */
const codes = Object.entries(meanings).map(([name, meaning]) => {
  const status = errorCodes[name]?.status ?? meaning.status
  if (status === undefined) throw new Error(`${name} has no status`)
  return { name, ...meaning, status }
}).sort((a, b) => a.status - b.status)

/** When operations answer a code that they declare. */
export const whenOf = (code: OperationCode): string => meanings[code].when

export const errorsPage = (): string => {
  const unknown = Object.keys(errorCodes).filter((name) => !(name in meanings))
  if (unknown.length > 0) throw new Error(`There are no words for ${unknown.join(", ")}`)
  return page(
    "# Errors",
    "",
    written,
    "",
    "Every error has the same body, with the HTTP status that belongs to its code:",
    "",
    "```json",
    JSON.stringify({ error: { code: "slot_full", message: "Nothing is left at that time." } }),
    "```",
    "",
    "`code` is for programs and does not change. `message` is for people, says what to change, and may read differently one day. Codes may be added: treat",
    "one that you do not know by its status.",
    "",
    table(["status", "rule"], [
      ["400", "the request is wrong: correct it"],
      ["401, 403", "the key is wrong, or may not do this"],
      ["404", "the id is wrong"],
      ["409", "it cannot be done as things are: choose something else"],
      ["429", "too often: wait"],
      ["500, 503, or no answer at all", "send the same again, with the same `idempotency_key`"]
    ]),
    "",
    table(
      ["code", "status", "when"],
      codes.map(({ name, status, when }) => [link(code(name), `#${anchor(name)}`), String(status), when])
    ),
    codes.flatMap(({ name, next, status, when }) => [
      "",
      `## ${name}`,
      "",
      `Status ${status}. ${when}`,
      "",
      `**What to do:** ${next}`,
      "",
      ...example(name),
      answeredBy(name)
    ])
  )
}

const example = (name: string): ReadonlyArray<string> => {
  const message = errorCodes[name]?.message
  return message === undefined ? [] : [`A message may read: “${message.replaceAll("<", "\\<")}”`, ""]
}

const answeredBy = (name: string): string => {
  const by = operations.filter(({ refusals }) => refusals.some((refusal) => refusal === name))
  return by.length === 0
    ? "Not of single operations: any request may be answered so."
    : `Answered by ${
      by.map((operation) => link(operation.name, `operations.md#${anchor(operation.name)}`)).join(", ")
    }.`
}
