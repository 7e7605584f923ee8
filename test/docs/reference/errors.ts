/** `docs/reference/errors.md`: every code, when it comes, what to do then, and which operations answer it. */
import { operations } from "@trailbook/core/operation/layer"
import { exampleOf, kinds, type RefusalCode, refusalCodes, refusals, statusOf } from "@trailbook/core/refusals"
import { anchor, code, link, page, plain, table, written } from "./markdown.ts"

/** In the order of their status, and within one in that of their declarations. */
const codes = refusalCodes.map((name) => ({ name, ...refusals[name], status: statusOf(name) })).sort((a, b) =>
  a.status - b.status
)

export const errorsPage = (): string =>
  page(
    "# Errors",
    "",
    written,
    "",
    "Every error has the same body, with the HTTP status that belongs to its code:",
    "",
    "```json",
    JSON.stringify({ error: { code: "slot_full", message: exampleOf("slot_full") } }),
    "```",
    "",
    "`code` is for programs and does not change. `message` is for people, says what to change, and may read differently one day. Codes may be added: treat",
    "one that you do not know by its status.",
    "",
    table(
      ["status", "what it means", "what to do"],
      Object.values(kinds).map(({ next, status, when }) => [String(status), when, next])
    ),
    "",
    "Where there is no answer at all, send the same again, with the same `idempotency_key`.",
    "",
    table(
      ["code", "status", "when"],
      codes.map(({ name, status, when }) => [link(code(name), `#${anchor(name)}`), String(status), when])
    ),
    codes.flatMap(({ kind, name, next, status, when }) => [
      "",
      `## ${name}`,
      "",
      `Status ${status}. ${when}`,
      "",
      `**What to do:** ${next}${kind === "exhausted" || kind === "unavailable" ? waiting : ""}`,
      "",
      `A message may read: “${plain(exampleOf(name))}”`,
      "",
      answeredBy(name)
    ])
  )

const waiting = " `Retry-After` says how many seconds to wait first."

const answeredBy = (name: RefusalCode): string => {
  const by = operations.filter(({ refusals }) => refusals.some((refusal) => refusal === name))
  return by.length === 0
    ? "Not of single operations: any request may be answered so."
    : `Answered by ${
      by.map((operation) => link(operation.name, `operations.md#${anchor(operation.name)}`)).join(", ")
    }.`
}
